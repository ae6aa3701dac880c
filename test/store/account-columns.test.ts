import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { repeatChanges } from '../../src/operate/repeat/repeat-changes.ts';
import { openCopyTarget, openStore } from '../../src/store/open-store.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { archive } from '../rig/store/archive.ts';
import { someStamp } from '../rig/store/audit.ts';
import { copyBetween } from '../rig/store/copy.ts';
import { erase } from '../rig/store/erase.ts';
import { type VerifiedStore, verifyDatabase } from '../verify/healthy-database.ts';

const ACCOUNT = 'store-1';
const BEFORE = '2026-03-05';

/** What the commands of the operator do with a column of an account. Each answer is tried. */
interface Answers {
  /** A wrong value, as SQL. */
  wrong: string;
  /** What of the account disagrees with the wrong value, as `verify` reports it. Null: nothing else in the database says what it was. */
  verify: string | null;
  /** Whether a copy has the value. */
  copy: 'the same' | 'none';
  /** Why a copy that is repeated ends if the source has the wrong value. Null: the account is copied again, as if it had been archived. */
  copyAgain: RegExp | null;
  /** What an archive of a later day does with the wrong value. */
  archive: 'goes on' | 'leaves the account out' | RegExp;
}

const ANSWERS: Readonly<Record<string, Answers>> = {
  'accounts.account': {
    wrong: "'other'",
    verify: 'head sequence',
    copy: 'the same',
    copyAgain: /"place":"time of the erasure"/,
    archive: 'leaves the account out',
  },
  'accounts.head_sequence': {
    wrong: 'head_sequence + 1',
    verify: 'sequence number 6',
    copy: 'the same',
    copyAgain: /"place":"change 6"/,
    archive: 'goes on',
  },
  'accounts.closed_at_sequence': {
    wrong: 'head_sequence',
    verify: 'the account',
    copy: 'none',
    copyAgain: /is being erased/,
    archive: 'leaves the account out',
  },
  'accounts.erased_at_ms': {
    wrong: 'erased_at_ms - 1000',
    verify: null,
    copy: 'the same',
    copyAgain: /"place":"time of the erasure"/,
    archive: 'goes on',
  },
  'archives.account': {
    wrong: "'other'",
    verify: 'sequence numbers 1 to 3',
    archive: /is not the one that was sealed/,
    copy: 'the same',
    copyAgain: /"place":"archived sequence"/,
  },
  'archives.before_ms': {
    wrong: 'before_ms - 86400000',
    verify: 'archive',
    archive: 'goes on',
    copy: 'the same',
    copyAgain: null,
  },
  'archives.floor_sequence': {
    wrong: 'floor_sequence + 1',
    verify: 'archive',
    archive: /is not the one that was sealed/,
    copy: 'the same',
    copyAgain: /has no seals up to its archive/,
  },
  'archives.floor_nonce': {
    wrong: 'floor_nonce + 1',
    verify: 'archive',
    archive: /is not the one that was sealed/,
    copy: 'the same',
    copyAgain: /"table":"archives"/,
  },
  'archives.floor_seal': {
    wrong: "printf('%064d', 0)",
    verify: 'seal at the sequence number 3',
    archive: /are not those that were sealed/,
    copy: 'the same',
    copyAgain: /"table":"archives"/,
  },
  'archives.rest': {
    wrong: "printf('%064d', 0)",
    verify: 'changes that are left below 3, the floor',
    archive: /are not those that were sealed/,
    copy: 'the same',
    copyAgain: /"table":"archives"/,
  },
  'archives.removed_changes': {
    wrong: 'removed_changes - 1',
    verify: 'archive',
    archive: 'goes on',
    copy: 'the same',
    copyAgain: null,
  },
};

const folder = temporaryFolder();
after(folder.remove);
let files = 0;
const newFile = () => `${folder.path}/${++files}.db`;

async function opened<Result>(
  file: string,
  work: (store: VerifiedStore) => Promise<Result>,
): Promise<Result> {
  const { store } = await openStore(`sqlite:${file}`, Date.now);
  try {
    return await work(store as VerifiedStore);
  } finally {
    await store.close();
  }
}

const archiveBefore = (file: string, day: string) =>
  opened(file, (store) =>
    archive([ACCOUNT], {
      url: `sqlite:${file}`,
      store,
      folder: `${folder.path}/archive-${++files}`,
      beforeMs: DAY(day),
    }),
  );

function query(file: string, sql: string): Record<string, unknown>[] {
  using db = new DatabaseSync(file);
  return db.prepare(sql).all();
}

/** An account that was erased and recorded again, with an archive, transactions that are left, and one that can be archived. */
async function account(): Promise<string> {
  const file = newFile();
  await opened(file, async (store) => {
    await record(store, [transaction(ACCOUNT, 'erased')]);
    await erase(`sqlite:${file}`, ACCOUNT, { store });
    for (const day of [1, 2, 3, 6, 9])
      await record(store, [transaction(ACCOUNT, `r${day}`, { createdAtMs: DAY(`2026-03-0${day}`) })]);
  });
  await archiveBefore(file, BEFORE);
  return file;
}

const columnOf = (name: string): [table: string, column: string] => name.split('.') as [string, string];
const valuesOf = (file: string, name: string) => {
  const [table, column] = columnOf(name);
  return query(file, `SELECT ${column} AS value FROM ${table}`).map(({ value }) => value);
};

const SOURCE_NAME = 'sqlite:source.db';

/** What a command returned, or why it failed, as text. */
const endOf = (work: Promise<unknown>): Promise<string> =>
  work.then(JSON.stringify, (error: Error) => error.message);

describe('each column of an account', () => {
  let whole: string;
  let copied: string;
  /** The same, as a copy that was cut off just before its end left it. */
  let unfinished: string;
  before(async () => {
    whole = await account();
    [copied, unfinished] = [newFile(), newFile()];
    await copyBetween(`sqlite:${whole}`, `sqlite:${copied}`);
    copyFileSync(copied, unfinished);
    const target = await openCopyTarget(`sqlite:${unfinished}`);
    await target.mark({ state: 'copying', other: SOURCE_NAME, sinceMs: 0 });
    await target.close();
  });
  /** The database with the wrong value of a column. */
  const damaged = (name: string): string => {
    const file = newFile();
    copyFileSync(whole, file);
    const [table, column] = columnOf(name);
    query(file, `UPDATE ${table} SET ${column} = ${ANSWERS[name]?.wrong}`);
    return file;
  };

  test('has an answer of every command', () => {
    const columns = ['accounts', 'archives'].flatMap((table) =>
      query(whole, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => `${table}.${name}`),
    );
    assert.deepEqual(columns.toSorted(), Object.keys(ANSWERS).toSorted());
  });

  for (const [name, answers] of Object.entries(ANSWERS)) {
    test(`${name}: verify`, async () => {
      const { disagreements } = await verifyDatabase(`sqlite:${damaged(name)}`);
      const places = disagreements.map(({ place }) => place);
      if (answers.verify === null) assert.deepEqual(places, []);
      else assert.ok(places.includes(answers.verify), places.join());
    });
    test(`${name}: copy, once and again`, async () => {
      assert.deepEqual(valuesOf(copied, name), answers.copy === 'none' ? [null] : valuesOf(whole, name));
      const again = newFile();
      copyFileSync(unfinished, again);
      const options = { sourceName: SOURCE_NAME };
      const end = await endOf(copyBetween(`sqlite:${damaged(name)}`, `sqlite:${again}`, options));
      assert.match(end, answers.copyAgain ?? /^{"end":"equal"/);
    });
    test(`${name}: archive`, async () => {
      const end = await endOf(archiveBefore(damaged(name), '2026-03-08'));
      if (typeof answers.archive !== 'string') assert.match(end, answers.archive);
      else assert.match(end, answers.archive === 'goes on' ? /^\[{.*"outcome":"archived"/ : /^\[\]$/);
    });
  }

  for (const command of ['archive', 'erase'] as const)
    test(`audit repeat: after the ${command} that it names, the restored database has what was lost`, async () => {
      const lost = await account();
      const restored = newFile();
      const run = (file: string) =>
        command === 'archive'
          ? archiveBefore(file, '2026-03-08')
          : opened(file, (store) => erase(`sqlite:${file}`, ACCOUNT, { store }));
      copyFileSync(lost, restored);
      await run(lost);
      const named: string[] = [];
      await opened(lost, (store) => store.listAudit(null, null, 1000)).then((entries) =>
        opened(restored, (store) =>
          repeatChanges(entries, {
            store,
            stamp: () => someStamp(),
            onRepeated: () => {},
            onLeft: (_, advice) => named.push(advice),
          }),
        ),
      );
      assert.match(
        named.join(),
        new RegExp(`^the .* again: run "transactions ${command} .*--account ${ACCOUNT}"[^"]*$`),
      );
      await run(restored);
      for (const name of Object.keys(ANSWERS)) {
        const [had, has] = [valuesOf(lost, name), valuesOf(restored, name)];
        // The second erasure is another one, and later.
        const isOther = command === 'erase' && name === 'accounts.erased_at_ms';
        if (isOther) assert.ok(Number(has[0]) >= Number(had[0]));
        else assert.deepEqual(has, had, name);
      }
    });
});
