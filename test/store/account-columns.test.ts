import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { repeatChanges } from '../../src/operate/repeat/repeat-changes.ts';
import { openCopyTarget, openStore } from '../../src/store/open-store.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { archive } from '../rig/store/archive.ts';
import { someStamp } from '../rig/store/audit.ts';
import { copyBetween } from '../rig/store/copy.ts';
import { erase } from '../rig/store/erase.ts';
import { type VerifiedStore, verifyDatabase } from '../verify/healthy-database.ts';

const ACCOUNT = 'store-1';
const BEFORE = '2026-03-05';

/** The operator's commands' results if an account's column has a wrong value. The test runs each command. */
type Answers = readonly [
  /** The value, as SQL. */
  wrong: string,
  /**
   * The part of the account that disagrees with the value, as `verify` reports it. Null: nothing else in the
   * database stores the right value.
   */
  verify: string | null,
  /** The reason why a repeated copy ends. Null: the account is copied again, as if it had been archived. */
  copyAgain: RegExp | null,
  /** The result of archiving a later day. */
  archive: 'goes on' | 'leaves the account out' | RegExp,
];

const ZEROS = "printf('%064d', 0)";

const ANSWERS: Readonly<Record<string, Answers>> = {
  'accounts.account': ["'other'", 'head sequence', /"place":"time of the erasure"/, 'leaves the account out'],
  'accounts.head_sequence': ['head_sequence + 1', 'sequence number 6', /"place":"change 6"/, 'goes on'],
  'accounts.closed_at_sequence': [
    'head_sequence',
    'the account',
    /is being erased/,
    'leaves the account out',
  ],
  'accounts.erased_at_ms': ['erased_at_ms - 1000', null, /"place":"time of the erasure"/, 'goes on'],
  'archives.account': [
    "'other'",
    'sequence numbers 1 to 3',
    /"place":"archived sequence"/,
    /is not the one that was sealed/,
  ],
  'archives.before_ms': ['before_ms - 86400000', 'archive', null, 'goes on'],
  'archives.floor_sequence': [
    'floor_sequence + 1',
    'archive',
    /has no seals up to its archive/,
    /is not the one that was sealed/,
  ],
  'archives.floor_nonce': [
    'floor_nonce + 1',
    'archive',
    /"table":"archives"/,
    /is not the one that was sealed/,
  ],
  'archives.floor_seal': [
    ZEROS,
    'seal at the sequence number 3',
    /"table":"archives"/,
    /are not those that were sealed/,
  ],
  'archives.rest': [
    ZEROS,
    'changes that are left below 3, the floor',
    /"table":"archives"/,
    /are not those that were sealed/,
  ],
  'archives.removed_changes': ['removed_changes - 1', 'archive', null, 'goes on'],
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

/**
 * An account that was erased and recorded again, with an archive, transactions that are left, and one that
 * can be archived.
 */
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

/** The result or the error of a command, as text. */
const endOf = (work: Promise<unknown>): Promise<string> =>
  work.then(JSON.stringify, (error: Error) => error.message);

describe('each column of an account', () => {
  let whole: string;
  let copied: string;
  /** The same database as a copy that was cut just before its end. */
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
  /** The database with a wrong value in a column. */
  const damaged = (name: string): string => {
    const file = newFile();
    copyFileSync(whole, file);
    const [table, column] = columnOf(name);
    query(file, `UPDATE ${table} SET ${column} = ${ANSWERS[name]?.[0]}`);
    return file;
  };

  test('has an answer of every command', () => {
    const columns = ['accounts', 'archives'].flatMap((table) =>
      query(whole, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => `${table}.${name}`),
    );
    assert.deepEqual(columns.toSorted(), Object.keys(ANSWERS).toSorted());
  });

  for (const [name, [, verify, copyAgain, archived]] of someInTier(Object.entries(ANSWERS), 4)) {
    test(`${name}: verify`, async () => {
      const { disagreements } = await verifyDatabase(`sqlite:${damaged(name)}`);
      const places = disagreements.map(({ place }) => place);
      if (verify === null) assert.deepEqual(places, []);
      else assert.ok(places.includes(verify), places.join());
    });
    test(`${name}: copy, once and again`, async () => {
      assert.deepEqual(valuesOf(copied, name), valuesOf(whole, name));
      const again = newFile();
      copyFileSync(unfinished, again);
      const options = { sourceName: SOURCE_NAME };
      const end = await endOf(copyBetween(`sqlite:${damaged(name)}`, `sqlite:${again}`, options));
      assert.match(end, copyAgain ?? /^{"end":"equal"/);
    });
    test(`${name}: archive`, async () => {
      const end = await endOf(archiveBefore(damaged(name), '2026-03-08'));
      if (typeof archived !== 'string') assert.match(end, archived);
      else assert.match(end, archived === 'goes on' ? /^\[{.*"outcome":"archived"/ : /^\[\]$/);
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
        // The second erasure differs from the first: it is later.
        const isOther = command === 'erase' && name === 'accounts.erased_at_ms';
        if (isOther) assert.ok(Number(has[0]) >= Number(had[0]));
        else assert.deepEqual(has, had, name);
      }
    });
});
