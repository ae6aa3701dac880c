import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import {
  FIND_WEBHOOK_SQL,
  LIST_DELIVERABLE_SQL,
  LIST_FAILURES_SQL,
  LIST_WEBHOOKS_SQL,
  webhookWriter,
} from '../../src/webhooks/sqlite/webhooks.ts';
import { countVisits } from '../rig/database/count-visits.ts';
import { checkPlannedOnce, planOf } from '../rig/database/sqlite-plans.ts';
import { idOf } from '../rig/webhooks/webhooks.ts';

describe('the plans of webhooks', () => {
  const ACCOUNTS = 500;
  const ENDPOINTS = 4;
  /** Of one endpoint. Every other one has a next attempt: the larger its number, the earlier. */
  const FAILURES = 2000;
  const OF_FAILURES = 'SEARCH webhook_failures USING PRIMARY KEY (account=? AND endpoint_id=?';
  const OF_ENDPOINT = 'SEARCH e USING PRIMARY KEY (account=? AND id=?)';
  const OF_ENDPOINTS = 'SEARCH webhook_endpoints USING PRIMARY KEY (account=?';
  const OF_LEASE = 'SEARCH webhook_lease USING INTEGER PRIMARY KEY (rowid=?)';
  const OF_KEY = 'SEARCH api_keys USING INDEX api_keys_by_id (id=?)';
  const OF_ARCHIVE = 'SEARCH archives USING PRIMARY KEY (account=?)';
  const OF_WATCHED = 'SEARCH w USING PRIMARY KEY (account=?)';
  const db = new DatabaseSync(':memory:');
  const visits = countVisits(db);

  before(() => {
    migrate(db, 0, { waitMs: 0 });
    const endpoint = db.prepare(
      `INSERT INTO webhook_endpoints (account, id, bucket, url, ordered, secret, created_at_ms, disabled_reason, disabled_at_ms,
         version, replay_version, acknowledged_sequence) VALUES (?, ?, ?, 'https://example.com', 0, 's', 0, ?, ?, 1, 0, 0)`,
    );
    const failure = db.prepare(
      `INSERT INTO webhook_failures (account, endpoint_id, sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, error)
       VALUES (?, ?, ?, 1, 0, 0, ?, 'failed')`,
    );
    db.exec('BEGIN');
    for (let index = 0; index < ACCOUNTS; index++)
      for (let number = 0; number < ENDPOINTS; number++) {
        const disabled = number === 0 ? ['gone', 1] : [null, null];
        endpoint.run(`store-${index}`, idOf(number), index % 64, ...disabled);
        failure.run(`store-${index}`, idOf(number), 1, 1);
      }
    for (let sequence = 2; sequence <= FAILURES; sequence++)
      failure.run('store-1', idOf(1), sequence, sequence % 2 === 0 ? -sequence : null);
    db.exec('COMMIT');
  });
  after(() => db.close());

  /** Reads with `visit` in one of their conditions, and returns how many rows that condition was true for. */
  const visitsOf = (sql: string, before: string | RegExp, ...values: SQLInputValue[]) => {
    const counted = sql.replace(before, (found) => ` AND visit(0) = 1${found}`);
    assert.notEqual(counted, sql);
    visits.count = 0;
    const found = db.prepare(counted).all(...values);
    return { visits: visits.count, found: found.length };
  };

  for (const [name, sql, values, plan] of [
    [
      'the endpoints of an account',
      LIST_WEBHOOKS_SQL,
      ['store-1'],
      ['SEARCH e USING PRIMARY KEY (account=?)'],
    ],
    [
      'an endpoint',
      FIND_WEBHOOK_SQL,
      ['store-1', idOf(1)],
      ['SEARCH e USING PRIMARY KEY (account=? AND id=?)'],
    ],
    [
      'the endpoints of buckets that are deliverable',
      LIST_DELIVERABLE_SQL.buckets,
      ['[1,2,63]', -1],
      [
        'SEARCH e USING INDEX webhook_endpoints_enabled (bucket=?)',
        'SCAN json_each VIRTUAL TABLE INDEX 1:',
        OF_WATCHED,
      ],
    ],
    [
      'the endpoints of accounts that are deliverable',
      LIST_DELIVERABLE_SQL.accounts,
      ['["store-1"]'],
      ['SEARCH e USING PRIMARY KEY (account=?)', 'SCAN json_each VIRTUAL TABLE INDEX 1:', OF_WATCHED],
    ],
  ] as const)
    test(`search their index, and the failures of each endpoint in the primary key: ${name}`, () => {
      const steps = planOf(db, sql, ...values).filter((step) => !/SUBQUERY/.test(step));
      const failures = steps.filter((step) => step.startsWith('SEARCH f '));
      assert.deepEqual(failures, ['SEARCH f USING PRIMARY KEY (account=? AND endpoint_id=?)']);
      assert.deepEqual(
        steps.filter((step) => !failures.includes(step) && !/^USING INDEX .* FOR IN-OPERATOR$/.test(step)),
        plan,
      );
    });

  test('failures are read in the order of an index, without a sort', () => {
    assert.deepEqual(planOf(db, LIST_FAILURES_SQL, 'store-1', idOf(1), 5, 10), [
      `${OF_FAILURES} AND sequence>?)`,
    ]);
  });

  test('reads of failures read no more than they return', () => {
    for (const limit of [1, 8, 100])
      for (const after of [0, 1, 1000, FAILURES - 1, FAILURES]) {
        const found = Math.min(limit, FAILURES - after);
        const read = visitsOf(LIST_FAILURES_SQL, ' ORDER BY', 'store-1', idOf(1), after, limit);
        assert.deepEqual(read, { visits: found, found });
      }
  });

  test('the endpoints that are deliverable read one failure of each, and no endpoint that is not returned', () => {
    const found = (Math.floor(ACCOUNTS / 64) + 1) * (ENDPOINTS - 1);
    for (const place of [' ORDER BY', ' LIMIT ?'])
      assert.deepEqual(visitsOf(LIST_DELIVERABLE_SQL.buckets, place, '[1]', -1), { visits: found, found });
  });

  test('reads are not planned again when their parameters are bound', () => {
    checkPlannedOnce(db, LIST_WEBHOOKS_SQL, (read) => read.all('store-1'));
    checkPlannedOnce(db, LIST_DELIVERABLE_SQL.buckets, (read) => read.all('[1]', -1));
    checkPlannedOnce(db, LIST_FAILURES_SQL, (read) => read.all('store-1', idOf(1), 5, 10));
  });

  test('each write searches the primary key of its endpoint, or of its failures', () => {
    const written: string[] = [];
    const prepare = db.prepare.bind(db);
    db.prepare = (sql, ...options) => {
      written.push(sql);
      return prepare(sql, ...options);
    };
    webhookWriter(db);
    db.prepare = prepare;
    const searchesOf = (sql: string) => planOf(db, sql).filter((step) => !/SUBQUERY/.test(step));
    const plans = written
      .map((sql) => ({ sql, plan: searchesOf(sql) }))
      .filter(({ plan }) => plan.length > 0);
    // Every write, except the insertions of an endpoint, of its account, of an entry of the audit trail and of the lease.
    assert.equal(plans.length, written.length - 4);
    for (const { sql, plan } of plans) {
      if (sql.includes('watched_accounts')) {
        // The last number of all is at the end of its index.
        assert.deepEqual(plan, [
          'SEARCH watched_accounts USING PRIMARY KEY (account=?)',
          'SEARCH watched_accounts USING COVERING INDEX watched_accounts_moved',
        ]);
        continue;
      }
      // The change of the progress is searched by its number, in both indexes.
      if (sql.includes('FROM transactions')) {
        const searches = plan.filter((step) => step.startsWith('SEARCH'));
        const byNumber = ['pending', 'final'].map(
          (change) =>
            `SEARCH transactions USING INDEX transactions_by_${change}_sequence (account=? AND ${change}_sequence=?)`,
        );
        // An archived change is at the floor of its account.
        assert.deepEqual(searches, [...byNumber, 'SEARCH archives USING PRIMARY KEY (account=?)']);
        continue;
      }
      assert.equal(plan.length, 1, `${sql}: ${plan}`);
      assert.ok(
        [OF_ENDPOINTS, OF_FAILURES, OF_ENDPOINT, OF_LEASE, OF_ARCHIVE, OF_KEY].some((search) =>
          plan[0]?.startsWith(search),
        ),
        `${sql}: ${plan}`,
      );
    }
  });
});
