import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { FIND_DATABASE } from '../../src/db/migrations.ts';
import { createOperatorKey } from '../crash/recording-load.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { importCsv, type RunOptions, run, startServe } from '../rig/service/process.ts';
import { makeHealthy } from '../verify/healthy-database.ts';

const ROWS = 3000;

const DATABASES = [
  ['SQLite', async () => 'sqlite:data/transactions.db'],
  ['PostgreSQL', () => makePostgresDatabase()],
] as const;

for (const [name, makeUrl] of someInTier(DATABASES, 1)) {
  describe(`verify on ${name}`, () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let options: RunOptions;
    beforeEach(async () => {
      folder = temporaryFolder();
      options = { cwd: folder.path, env: { DATABASE_URL: await makeUrl() } };
    });
    afterEach(() => folder.remove());

    const verify = (...args: string[]) => run(['verify', ...args], options);
    const importSample = () => importCsv(sampleCsv(ROWS), options);
    const execute = async (sql: string) => {
      const url = options.env?.['DATABASE_URL'] as string;
      if (url.startsWith('postgres')) return void (await queryPostgres(url, sql));
      const db = new DatabaseSync(`${folder.path}/data/transactions.db`);
      db.exec(sql);
      db.close();
    };

    test('prints what it checked, and ends with 0', async () => {
      await importSample();
      const { status, stdout, stderr } = await verify();
      assert.match(
        stdout,
        /^Checked \d+ parts of the schema, \d+ indexes, \d+ accounts, 3,000 transactions, [\d,]+ sequence numbers, .* 0 keys, 0 idempotency keys, 0 exports, 0 webhooks, 0 webhook failures, 0 audit entries: no disagreement\.\n$/,
      );
      assert.deepEqual([status, stderr], [0, '']);
    });

    test('prints each disagreement with its place, and ends with 1', async () => {
      await importSample();
      await execute(`UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'store-1'`);
      const { status, stdout, stderr } = await verify();
      assert.match(
        stdout,
        /^numbers: account "store-1", sequence number (\d+): there is no change; there should be a change for each number from 1 to \1, the head sequence\nChecked .*: 1 disagreement\.\nTo do for numbers: .*\n$/,
      );
      assert.equal(stderr, 'The database has 1 disagreement.\n');
      assert.equal(status, 1);
    });

    test('prints both sides of sums that differ, as neither is known to be right', async () => {
      const url = options.env?.['DATABASE_URL']?.replace('sqlite:', `sqlite:${folder.path}/`) as string;
      await makeHealthy(url);
      await execute(`UPDATE transactions SET amount_minor = 1099 WHERE reference = 'store-1.d'`);
      await execute(`DELETE FROM daily_totals WHERE account = 'store-1' AND day = -1`);
      const { status, stdout } = await verify();
      assert.deepEqual(stdout.split('\n').slice(0, -3), [
        'totals: account "store-1", daily total of 2026-04-10 EUR completed says 9.99 in 1 transaction; the transactions up to sequence number 7 add up to 10.99 in 1 transaction',
        'totals: account "store-1", daily total of 1969-12-31 EUR refunded says nothing; the transactions up to sequence number 7 add up to -0.40 in 1 transaction',
      ]);
      assert.match(
        stdout,
        /, 1 idempotency key, 1 export, 2 webhooks, 2 webhook failures, 6 audit entries: 2 disagreements\.\nTo do for totals: [^\n]*\n$/,
      );
      assert.equal(status, 1);
      const [first = ''] = (await verify('--json')).stdout.split('\n');
      assert.deepEqual(JSON.parse(first).disagreement, {
        check: 'totals',
        account: 'store-1',
        place: 'daily total of 2026-04-10 EUR completed',
        found: '9.99 in 1 transaction',
        contradicts: 'the transactions up to sequence number 7 add up to 10.99 in 1 transaction',
      });
    });

    test('reports a copy that has not ended, and ends with 1', async () => {
      await importSample();
      const source = 'sqlite:/srv/old.db';
      await execute(
        `INSERT INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, 'copying', '${source}', 1)`,
      );
      for (const args of [[], ['--account', 'store-1']]) {
        const { status, stdout } = await verify(...args);
        assert.match(
          stdout,
          /^copy: the database: there is a part of sqlite:\/srv\/old\.db, from a copy that has not ended; there should be all of it\n/,
        );
        assert.match(stdout, /\nTo do for copy: run "transactions copy" again until it ends\./);
        assert.equal(status, 1);
      }
    });

    test('writes one of a thing in the singular', async () => {
      await importCsv(sampleCsv(1), options);
      assert.match(
        (await verify()).stdout,
        /^Checked \d+ parts of the schema, \d+ indexes, 1 account, 1 transaction, 1 sequence number, 0 sealed changes, 1 daily total, 0 keys, 0 idempotency keys, 0 exports, 0 webhooks, 0 webhook failures, 0 audit entries: no disagreement\.\n$/,
      );
    });

    test('--json prints each disagreement and what was checked as an object on a line', async () => {
      await importSample();
      await execute(`UPDATE accounts SET head_sequence = head_sequence + 2 WHERE account = 'store-2'`);
      const { status, stdout } = await verify('--json');
      const [first, second, ...more] = jsonLines(stdout);
      assert.deepEqual(more, []);
      const { place, expected, ...rest } = first.disagreement;
      assert.deepEqual(rest, { check: 'numbers', account: 'store-2', found: 'no change' });
      assert.match(place, /^sequence numbers \d+ to \d+$/);
      assert.match(expected, /^a change for each number from 1 to \d+, the head sequence$/);
      assert.equal(second.verified.disagreements, 1);
      assert.equal(second.verified.transactions, ROWS);
      assert.equal(status, 1);
    });

    test('--account checks one account', async () => {
      await importSample();
      await execute(`UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'store-1'`);
      assert.equal((await verify('--account', 'store-2')).status, 0);
      assert.equal((await verify('--account', 'store-1')).status, 1);
      const unknown = await verify('--account', 'store-99');
      assert.deepEqual([unknown.status, unknown.stdout], [1, '']);
      assert.equal(unknown.stderr, 'There is nothing to verify: the database has no account "store-99".\n');
    });

    test('a missing or empty database, and a malformed account are explained', async () => {
      if (name === 'SQLite') {
        const missing = await verify();
        assert.deepEqual([missing.status, missing.stdout], [1, '']);
        assert.equal(
          missing.stderr,
          `The database sqlite:data/transactions.db can't be used: there is no file ${folder.path}/data/transactions.db. ${FIND_DATABASE}\n`,
        );
        mkdirSync(`${folder.path}/data`);
        writeFileSync(`${folder.path}/data/transactions.db`, '');
      }
      const empty = await verify();
      assert.deepEqual([empty.status, empty.stdout], [1, '']);
      assert.equal(empty.stderr, 'There is nothing to verify: the database is empty.\n');
      await importSample();
      const misspelt = await verify('--account', 'store 1');
      assert.deepEqual([misspelt.status, misspelt.stdout], [2, '']);
      assert.match(misspelt.stderr, /^The account "store 1" contains a character that is not allowed/);
    });

    test('reports nothing while a service records, completes and adds to the totals', async () => {
      await importSample();
      const operatorKey = await createOperatorKey(options);
      const served = await startServe({ ...options, env: { ...options.env, OPERATOR_PORT: '0' } });
      const ending = new AbortController();
      let recorded = 0;
      try {
        const recording = (async () => {
          while (!ending.signal.aborted) {
            const reference = `during-${Math.floor(recorded / 100)}-${recorded % 50}`;
            const response = await fetch(
              `${served.operatorUrl}/v1/accounts/store-1/transactions/${reference}`,
              {
                method: 'PUT',
                headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
                body: JSON.stringify(bodyOf(recorded)),
              },
            );
            assert.ok([200, 201].includes(response.status), await response.text());
            recorded++;
          }
        })();
        for (let times = 0; times < 3; times++) {
          const before = recorded;
          const { status, stdout } = await verify();
          assert.match(stdout, /: no disagreement\.\n$/);
          assert.equal(status, 0);
          assert.ok(recorded > before);
        }
        ending.abort();
        await recording;
      } finally {
        ending.abort();
        await served.stop();
      }
      const { stdout } = await verify();
      assert.match(stdout, /: no disagreement\.\n$/);
    });
  });
}

/** The first 50 of each 100 are pending, the others complete them. */
function bodyOf(count: number) {
  const isPending = count % 100 < 50;
  return {
    amount: '12.50',
    currencyCode: 'EUR',
    status: isPending ? 'pending' : 'completed',
    createdAt: '2026-03-01T10:00:00.000Z',
    ...(!isPending && { paidAt: '2026-03-01T10:00:01.000Z' }),
  };
}
