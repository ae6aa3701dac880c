import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { planOf } from '../rig/database/sqlite-plans.ts';
import { USES } from '../rig/store/use-every-call.ts';

/**
 * Tables that have few rows, however many accounts, transactions and keys there are: SQLite plans a statement in the same way for any
 * number of rows, because the service never gathers statistics.
 */
const SMALL = [
  'sqlite_schema',
  'schema_migrations',
  'copy_state',
  'cursor_secret',
  'recorded_statuses',
  'instances',
  'webhook_lease',
];

/** Tables with at most some rows of an account. */
const FEW_OF_ACCOUNT = ['accounts', 'archives', 'seals', 'watched_accounts', 'webhook_endpoints', 'e'];

const SORTS_GROUPS = /^USE TEMP B-TREE FOR GROUP BY$/;

/** Statements that read or sort more than a bound in their text allows, each with the reason. The list may only become shorter. */
const EXCEPTIONS: readonly { text: RegExp; step: RegExp; reason: string }[] = [
  {
    text: /^(DELETE|SELECT count\(\*\) AS count) FROM exports WHERE account = \?( AND started_at_ms NOT BETWEEN \? AND \?)?$/,
    step: /^SEARCH exports USING PRIMARY KEY /,
    reason: 'an account has 5,000 exports at most',
  },
  {
    text: /^DELETE FROM exports WHERE started_at_ms < \?$/,
    step: /^SEARCH exports USING INDEX exports_by_start /,
    reason: 'exports that have expired within ten minutes are removed',
  },
  {
    text: /FROM \( SELECT .* FROM daily_totals WHERE account = \?1 AND day BETWEEN .* \) GROUP BY currency_code, status$/,
    step: SORTS_GROUPS,
    reason: 'on the thread of requests, 4,001 totals are read at most',
  },
  {
    text: /^UPDATE api_keys SET .*SELECT coalesce\(max\(end_recorded_at_ms\), 0\)/,
    step: /^SEARCH api_keys USING COVERING INDEX api_keys_by_end /,
    reason: 'the largest value of an index is its last one',
  },
  {
    text: /^SELECT currency_code, status_then, .* GROUP BY currency_code, status_then$/,
    step: SORTS_GROUPS,
    reason: 'the transactions with a merchantReference are summed in slices',
  },
];

interface Statement {
  text: string;
  plan: string[];
}

/** Every statement that a store on SQLite prepares, with its plan. In memory, the writes run on this thread too. */
async function statementsOfStore(t: { after(undo: () => void): void }): Promise<Statement[]> {
  const { prepare } = DatabaseSync.prototype;
  const prepared = new Map<string, DatabaseSync>();
  t.after(() => {
    DatabaseSync.prototype.prepare = prepare;
  });
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...values: Parameters<typeof prepare>) {
    prepared.set(values[0], this);
    return prepare.apply(this, values);
  };
  const { store } = await openStore('sqlite::memory:', () => 0);
  const { close, recordHeld, ...uses } = USES;
  for (const use of Object.values(uses)) await use(store as Store);
  // SQLite reports no row as held.
  await assert.rejects(recordHeld(store));
  DatabaseSync.prototype.prepare = prepare;
  const statements = [...prepared].map(([text, db]) => ({ text, plan: planOf(db, text) }));
  await close(store);
  return statements;
}

/** Steps that read all rows of a table or index, or sort rows. */
function faultsOf({ text, plan }: Statement): string[] {
  const isBounded = /\bLIMIT\b/.test(text);
  return plan.filter((step) => {
    const [, scanned] = /^SCAN (\w+)/.exec(step) ?? [];
    // A subquery is read as a co-routine, and has steps of its own. A list in JSON is a parameter.
    if (scanned !== undefined)
      return !(
        SMALL.includes(scanned) ||
        plan.includes(`CO-ROUTINE ${scanned}`) ||
        /^SCAN (CONSTANT ROW|json_each)/.test(step)
      );
    if (step.startsWith('USE TEMP B-TREE')) return true;
    const [, searched = '', terms] = /^SEARCH (\w+) .*?\(([^)]*)\)/.exec(step) ?? [];
    // So SQLite searches for the smallest or largest value of a column that no index has.
    if (terms === undefined) return step.endsWith(' USING PRIMARY KEY');
    if (isBounded) return false;
    return terms === 'account=?' ? !FEW_OF_ACCOUNT.includes(searched) : !/^\w+=\?/.test(terms);
  });
}

test('no statement of the store on SQLite scans a table, or sorts rows without a bound', async (t) => {
  const statements = await statementsOfStore(t);
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

test('the check finds a scan, a sort, a range over all accounts and all rows of an account', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const faulty = [
    'SELECT * FROM transactions WHERE amount_minor = ?',
    'SELECT * FROM transactions WHERE account = ? AND created_at_ms > ? ORDER BY amount_minor LIMIT 10',
    'SELECT * FROM transactions WHERE account > ?',
    'SELECT max(amount_minor) FROM transactions WHERE account = ?',
    'UPDATE api_keys SET label = ? WHERE label = ?',
    'SELECT max(end_recorded_at_ms) FROM api_keys',
  ];
  for (const text of faulty) assert.equal(faultsOf({ text, plan: planOf(db, text) }).length, 1, text);
  db.close();
});
