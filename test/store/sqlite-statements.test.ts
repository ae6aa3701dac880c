import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { sqliteText } from '../../src/db/sqlite/sqlite-db.ts';
import { addTextSearch } from '../../src/db/sqlite/text-search.ts';
import { readStatements, statementsOf } from '../../src/db/statement.ts';
import { EQUALITY_FILTERS, isMerged, type ListShape } from '../../src/ledger/list/list.ts';
import { listSql } from '../../src/ledger/list/sqlite/list-sql.ts';
import type { EqualityFilter } from '../../values/interface/filters.ts';
import { planOf, type SqliteStatement, sentToSqlite } from '../rig/database/sqlite-statements.ts';
import { USES } from '../rig/store/use-every-call.ts';

const SQLITE_STATEMENTS = globSync('src/**/*.sql', { exclude: (path) => /migrations/.test(String(path)) })
  .map((path) => pathToFileURL(path))
  .flatMap((file) => [...readStatements(file).keys()].map((name) => statementsOf(file)(name)))
  .filter(({ texts }) => texts.sqlite !== undefined)
  .map((statement) => ({ name: statement.name, text: sqliteText(statement).text }));

const SMALL = [
  'sqlite_schema',
  'schema_migrations',
  'copy_state',
  'cursor_secret',
  'recorded_statuses',
  'instances',
  'webhook_lease',
];

const FEW_OF_ACCOUNT = ['accounts', 'archives', 'seals', 'watched_accounts', 'webhook_endpoints', 'e'];

const SORTS_GROUPS = /^USE TEMP B-TREE FOR GROUP BY$/;

/** Statements that the test below would refuse, and why each is harmless. Never add another statement. */
const EXCEPTIONS: readonly { text: RegExp; step: RegExp; reason: string }[] = [
  {
    text: /^(DELETE FROM exports WHERE account = |INSERT INTO exports )/,
    step: /^SEARCH exports USING PRIMARY KEY /,
    reason: 'an account has 5,000 exports at most',
  },
  {
    text: /^DELETE FROM exports WHERE started_at_ms < \?1$/,
    step: /^SEARCH exports USING INDEX exports_by_start /,
    reason: 'each run removes only the exports that expired in the last ten minutes',
  },
  {
    text: /FROM \( SELECT .* FROM daily_totals WHERE account = \?1 AND day BETWEEN .* \) GROUP BY currency_code, status$/,
    step: SORTS_GROUPS,
    reason: 'on the thread of requests, 4,001 totals are read at most',
  },
  {
    text: /^UPDATE api_keys SET .*SELECT max\(end_recorded_at_ms\) \+ 1/,
    step: /^SEARCH api_keys USING COVERING INDEX api_keys_by_end /,
    reason: 'the largest value of an index is its last one',
  },
  {
    text: /^SELECT currency_code, status_then, .* GROUP BY currency_code, status_then, part_start_ms$/,
    step: SORTS_GROUPS,
    reason: 'the transactions with a merchantReference are summed in slices',
  },
];

function faultsOf({ text, plan }: Pick<SqliteStatement, 'text' | 'plan'>): string[] {
  const isBounded = /\bLIMIT\b/.test(text);
  return plan.filter((step) => {
    const [, scanned] = /^SCAN (\w+)/.exec(step) ?? [];
    if (scanned !== undefined)
      return !(
        SMALL.includes(scanned) ||
        plan.includes(`CO-ROUTINE ${scanned}`) ||
        plan.includes(`MATERIALIZE ${scanned}`) ||
        /^SCAN (CONSTANT ROW|json_each)/.test(step)
      );
    if (step.startsWith('USE TEMP B-TREE')) return true;
    const [, searched = '', terms] = /^SEARCH (\w+) .*?\(([^)]*)\)/.exec(step) ?? [];
    if (terms === undefined) return step.endsWith(' USING PRIMARY KEY');
    if (isBounded) return false;
    return terms === 'account=?' ? !FEW_OF_ACCOUNT.includes(searched) : !/^\w+=\?/.test(terms);
  });
}

test('no statement of the store on SQLite scans a table, or sorts rows without a bound', async () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  addTextSearch(db);
  const ofFiles = SQLITE_STATEMENTS.map(({ text }) => ({ text, plan: planOf(db, text) }));
  db.close();
  const statements = [...(await sentToSqlite(USES)), ...ofFiles];
  assert.ok(statements.length > 100, `${statements.length} statements were seen`);
  const faults = statements.flatMap((statement) =>
    faultsOf(statement).map((step) => ({ text: statement.text.replace(/\s+/g, ' '), step })),
  );
  const isExcepted = ({ text, step }: { text: string; step: string }) =>
    EXCEPTIONS.some((one) => one.text.test(text) && one.step.test(step));
  assert.deepEqual(
    faults.filter((fault) => !isExcepted(fault)),
    [],
  );
  for (const { text, step, reason } of EXCEPTIONS)
    assert.ok(
      faults.some((fault) => text.test(fault.text) && step.test(fault.step)),
      `not needed: ${reason}`,
    );
});

const BOTH = [false, true];
const ENDS = ['open', 'before', 'after'] as const;

const EQUALITIES = EQUALITY_FILTERS.reduce(
  (before, { name }) => before.flatMap((one) => BOTH.map((has) => ({ ...one, [name]: has }))),
  [{}],
) as Record<EqualityFilter, boolean>[];

const LIST_SHAPES: readonly ListShape[] = EQUALITIES.flatMap((equality) =>
  BOTH.flatMap((from) => ENDS.map((end) => ({ ...equality, from, end }))),
);

describe('a list of every shape', () => {
  const ROWS = 20_000;
  const LIMIT = 11;
  const STATUSES = ['completed', 'pending'];
  const db = new DatabaseSync(':memory:');
  let visits = 0;

  before(() => {
    migrate(db, 0, { waitMs: 0 });
    // No index contains amount_minor. So each call of `visit(amount_minor)` is a row read from the table.
    db.function('visit', { deterministic: false }, (_amount: unknown) => {
      visits++;
      return 1;
    });
    const insert = db.prepare(
      `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms,
         pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
       VALUES (?, ?, ?, ?, ?, 100, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    db.exec('BEGIN');
    for (let index = 0; index < ROWS; index++) {
      const createdAtMs = Math.floor(index / 500) * 1000;
      const isPending = index % 1000 === 0;
      insert.run(
        index % 4 === 0 ? 'other' : 'account',
        createdAtMs,
        `r${index}`,
        index % 5 === 0 ? null : index % 1100 === 3 ? 'order-7' : 'order-1',
        isPending ? 'pending' : 'completed',
        index % 1500 === 2 ? 'JPY' : 'EUR',
        isPending ? null : createdAtMs,
        ...(isPending ? [index + 1, 0, 1, null, null, null] : [null, null, null, index + 1, 0, 1]),
      );
    }
    db.exec('COMMIT');
  });
  after(() => db.close());

  const sqlOf = (shape: ListShape) => listSql(shape, LIMIT, STATUSES.length);

  const valuesOf = (shape: ListShape, rare: boolean, at: number): SQLInputValue[] => [
    'account',
    ...(shape.merchantReference ? [rare ? 'order-7' : 'order-1'] : []),
    ...(shape.status ? [rare ? 'pending' : 'completed'] : []),
    ...(shape.currency ? [rare ? 'JPY' : 'EUR'] : []),
    ...(shape.from ? [2000] : []),
    ...{ open: [], before: [at], after: [at, 'r5'] }[shape.end],
    ...(isMerged(shape) ? STATUSES : []),
  ];

  test('reads no other row of the table, on the first page or a deep one, for common and rare values', () => {
    for (const shape of LIST_SHAPES) {
      const counted = sqlOf(shape).replaceAll('\nWHERE ', '\nWHERE visit(amount_minor) = 1 AND ');
      for (const rare of [false, true])
        for (const at of [39_000, 20_000, 2000, 0]) {
          visits = 0;
          const found = db.prepare(counted).all(...valuesOf(shape, rare, at)).length;
          const most = found + (isMerged(shape) ? 2 * STATUSES.length - 1 : 1);
          assert.ok(visits >= found && visits <= most, `${visits} rows were read for ${found}: ${counted}`);
        }
    }
  });
});
