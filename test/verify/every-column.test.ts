import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { BEFORE, recordMarch } from '../archive/march.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { queryDatabase } from '../rig/database/query-database.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { archive } from '../rig/store/archive.ts';
import { sealAll } from '../rig/store/seal.ts';
import { recordHealthy, type VerifiedStore, verifyDatabase } from './healthy-database.ts';
import { withoutConstraints } from './without-constraints.ts';

const ELSEWHERE = ['copy_state', 'schema_migrations'];
const ACCOUNT = 'store-3';

const [, ...SECTIONS] = readFileSync(new URL('./columns.txt', import.meta.url), 'utf8').split(/^# /m);
const DAMAGES = SECTIONS.flatMap((section) => {
  const [title = '', ...lines] = section.trimEnd().split('\n');
  const [, table = '', where = ''] = /^(\w+) WHERE (.*)$/.exec(title) ?? assert.fail(title);
  return lines.map((line) => {
    const [, noticedBy = '', column = '', value = ''] =
      /^(verify|the database|nothing): (\w+) = (.*)$/.exec(line) ?? assert.fail(line);
    return { table, where, column, value, noticedBy };
  });
});

const folder = temporaryFolder();
after(folder.remove);

async function makeWhole(url: string, name: string): Promise<void> {
  const { store } = await openStore(url, Date.now);
  await recordHealthy(store as VerifiedStore);
  await recordMarch(store, ACCOUNT, 150);
  await archive([ACCOUNT], { url, store, folder: `${folder.path}/${name}`, beforeMs: BEFORE });
  const head = (await store.readHeads([ACCOUNT])).get(ACCOUNT) as number;
  const rows = Array.from({ length: 2 * 64 - (head % 64) + 5 }, (_, index) =>
    transaction(ACCOUNT, `new-${index}`, { createdAtMs: BEFORE }),
  );
  await record(store, rows);
  await sealAll(store, ACCOUNT);
  await store.close();
}

interface Whole {
  type: string;
  make(): Promise<string>;
  damage(url: string, sql: string): Promise<void>;
  copy(whole: string): Promise<string>;
  columns: string;
  short: number;
}

let files = 0;
const newFile = () => `sqlite:${folder.path}/${++files}.db`;
const pathOf = (url: string) => url.slice('sqlite:'.length);

const DATABASES: Readonly<Record<string, Whole>> = {
  SQLite: {
    type: 'INTEGER',
    make: async () => newFile(),
    damage: async (url, sql) => {
      using db = new DatabaseSync(pathOf(url));
      db.exec(`PRAGMA ignore_check_constraints = ON; ${sql}`);
    },
    copy: async (whole) => {
      const url = newFile();
      copyFileSync(pathOf(whole), pathOf(url));
      return url;
    },
    columns: `SELECT tables.name AS "table", columns.name AS "column" FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'`,
    short: 30,
  },
  PostgreSQL: {
    type: 'xid8',
    make: () => makePostgresDatabase(),
    damage: withoutConstraints,
    copy: (whole) => makePostgresDatabase(undefined, new URL(whole).pathname.slice(1)),
    columns: `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns WHERE table_schema = 'public'`,
    short: 10,
  },
};

for (const [name, { type, make, damage, copy, columns, short }] of Object.entries(DATABASES))
  describe(`another possible value of a column on ${name}`, () => {
    let whole: string;
    let has: Set<string>;
    before(async () => {
      whole = await make();
      await makeWhole(whole, name);
      has = new Set((await queryDatabase(whole, columns)).map(({ table, column }) => `${table}.${column}`));
    });

    test('is in the table for every column', async () => {
      const known = new Set(DAMAGES.map(({ table, column }) => `${table}.${column}`));
      const others = [...has].filter(
        (one) => !known.has(one) && !ELSEWHERE.includes(one.split('.')[0] ?? ''),
      );
      assert.deepEqual(others, []);
      assert.deepEqual((await verifyDatabase(whole)).lines, []);
      for (const [table, where] of new Map(DAMAGES.map((one) => [one.table, one.where]))) {
        const [row] = await queryDatabase(whole, `SELECT count(*) AS rows FROM ${table} WHERE ${where}`);
        assert.equal(Number(row?.['rows']), 1, table);
      }
    });

    for (const { table, where, column, value, noticedBy } of someInTier(DAMAGES, short))
      test(`${table}.${column} is noticed by ${noticedBy}`, async () => {
        if (!has.has(`${table}.${column}`)) return;
        const url = await copy(whole);
        const wrong = value.replaceAll('$', column).replace(/'1' AS TYPE/, `'1' AS ${type}`);
        const done = queryDatabase(url, `UPDATE ${table} SET ${column} = ${wrong} WHERE ${where}`);
        if (noticedBy === 'the database') {
          await assert.rejects(done, /constraint/i);
          await damage(url, `UPDATE ${table} SET ${column} = ${wrong} WHERE ${where}`);
          const { lines } = await verifyDatabase(url);
          assert.ok(
            lines.some((line) => line.includes('that CHECK')),
            lines.join('\n'),
          );
          return;
        }
        await done;
        assert.equal((await verifyDatabase(url)).lines.length > 0, noticedBy === 'verify');
      });
  });
