import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Transaction } from '../../client/src/transaction.ts';
import { createOperatorKey } from '../crash/recording-load.ts';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { noteKey } from '../rig/database/isolation.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import {
  call,
  createKey,
  outcomeOf,
  type RunOptions,
  type Served,
  start,
  startServe,
  walkList,
} from '../rig/service/process.ts';

const ROWS = 20_000;
const LEAST_ANSWERED = 3;

const csv = sampleCsv(ROWS);
interface Line extends Transaction {
  account: string;
}

const linesOf = (account: string) =>
  expectedRows(csv, account).map((row) => ({ account, ...row }) as unknown as Line);
const lines = ['store-1', 'store-2'].flatMap(linesOf);

const LAST = linesOf('store-2')[0] as Line;

const DATABASES = [
  ['SQLite', async () => 'sqlite:data/transactions.db'],
  ['PostgreSQL', () => makeMigratedDatabase()],
] as const;

for (const [name, databaseUrl] of someInTier(DATABASES, 1)) {
  describe(`during an import on ${name}`, () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let options: RunOptions;
    let served: Served;
    let operatorKey: string;
    let key: string;

    before(async () => {
      folder = temporaryFolder();
      writeFileSync(`${folder.path}/all.csv`, csv);
      options = {
        cwd: folder.path,
        env: { DATABASE_URL: await databaseUrl(), OPERATOR_PORT: '0', RATE_LIMIT: '100000' },
      };
      operatorKey = await createOperatorKey(options);
      key = await createKey('store-2', options);
      served = await startServe(options);
    });
    after(async () => {
      await served.stop();
      folder.remove();
    });

    const send = (path: string, request: Parameters<typeof call>[2]) =>
      call(`${served.operatorUrl}${path}`, operatorKey, request);
    const sendBatch = (transactions: readonly object[]) => {
      const body = transactions.map((transaction) => JSON.stringify(transaction)).join('\n');
      return send('/v1/batch', { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body });
    };
    const put = ({ account, reference, ...json }: Line) =>
      send(`/v1/accounts/${account}/transactions/${reference}`, { method: 'PUT', json });
    const own = (reference: string): Line => ({
      ...LAST,
      account: 'store-3',
      reference: `store-3.${reference}`,
    });

    test('single recordings, batches, lists and keys get no 503, and another service starts', async () => {
      const completed = lines.filter(({ status }, index) => status === 'completed' && index % 40 === 0);
      const prepared = await sendBatch(
        completed.map((line) => ({ ...line, status: 'pending', paidAt: null })),
      );
      assert.ok(!(await prepared.text()).includes('"unavailable"'));

      const importing = start(['import', 'all.csv'], options);
      const output = outcomeOf(importing);
      const answered = { put: 0, batch: 0, list: 0, key: 0 };
      const isImporting = () => importing.exitCode === null;
      const repeat = async (what: keyof typeof answered, send: (count: number) => Promise<void>) => {
        for (let count = 0; isImporting(); count++) {
          await send(count);
          if (isImporting()) answered[what]++;
        }
      };
      await Promise.all([
        repeat('put', async (count) => {
          const { status } = await put(own(`put-${count}`));
          assert.equal(status, 201);
        }),
        repeat('batch', async () => {
          const results = await sendBatch(completed);
          assert.match(
            await results.text(),
            /^(\{[^\n]*"outcome":"(recorded|changed|unchanged)"[^\n]*\}\n)+$/,
          );
        }),
        repeat('list', async () => {
          const rows = await walkList(served.url, key, 'status=pending');
          assert.equal(new Set(rows.map(({ reference }) => reference)).size, rows.length);
        }),
        repeat('key', async () => {
          const made = await send('/v1/accounts/store-3/keys', { method: 'POST', json: {} });
          assert.equal(made.status, 201);
          const { id, key: secret } = (await made.json()) as { id: string; key: string };
          noteKey(secret, 'store-3');
          const revoked = await send(`/v1/accounts/store-3/keys/${id}`, { method: 'DELETE' });
          assert.ok(revoked.ok, String(revoked.status));
        }),
        startServe(options).then((another) => another.stop()),
      ]);
      const { stdout, stderr, status } = await output;
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^Imported 20,000 lines: .* 0 faulty\.$/m);
      for (const [what, count] of Object.entries(answered))
        assert.ok(count >= LEAST_ANSWERED, `${count} requests of ${what} were answered`);
      assert.deepEqual(await walkList(served.url, key), expectedRows(csv, 'store-2'));
    });

    test('a PUT contradicts a line before the import records it: the import reports the line, and records all others', async () => {
      const again = csv.replaceAll(/\.pay_/g, '.again_');
      writeFileSync(`${folder.path}/again.csv`, again);
      const last = { ...LAST, reference: LAST.reference.replace('.pay_', '.again_') };
      const number = again.split('\n').findIndex((line) => line.includes(`,${last.reference},`)) + 1;
      const first = linesOf('store-1').at(-1)?.reference.replace('.pay_', '.again_');
      const firstKey = await createKey('store-1', options);
      const importing = start(['import', 'again.csv'], options);
      const output = outcomeOf(importing);
      await until(async () => {
        const { status } = await call(`${served.url}/v1/transactions/${first}`, firstKey);
        return status === 200;
      });
      assert.equal((await put({ ...last, amount: '1234.00' })).status, 201, 'the import was faster');
      const { stdout, stderr, status } = await output;
      assert.equal(status, 1, stderr);
      assert.match(stdout, /^Imported 20,000 lines: 19,999 new, 0 changed, 0 unchanged, 1 faulty\.$/m);
      assert.ok(
        stderr.includes(
          `line ${number}: contradicts the transaction recorded under this reference: amount is "1234.00" there and `,
        ),
        stderr,
      );
      assert.match(stderr, /1 line contradicts transactions that others recorded during this import/);
    });
  });
}
