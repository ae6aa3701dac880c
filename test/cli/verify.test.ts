import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createOperatorKey } from '../crash/recording-load.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, importCsv, type RunOptions, run, startServe } from '../rig/service/process.ts';
import { DATABASES } from '../rig/transcript/databases.ts';
import { transcript } from '../rig/transcript/transcript.ts';
import { makeHealthy } from '../verify/healthy-database.ts';

const ROWS = 3000;

transcript(import.meta.url, {
  databases: DATABASES,
  commands: {
    healthy: async (_, { databaseUrl, cwd }) => {
      mkdirSync(`${cwd}/data`, { recursive: true });
      await makeHealthy(databaseUrl);
      return undefined;
    },
  },
});

for (const [name, makeUrl] of DATABASES) {
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
            const url = `${served.operatorUrl}/v1/accounts/store-1/transactions/${reference}`;
            const response = await call(url, operatorKey, { method: 'PUT', json: bodyOf(recorded) });
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
