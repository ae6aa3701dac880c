import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type OpenLoopResult, runOpenLoop } from '../../bench/rig/open-loop.ts';
import type { Store } from '../../src/core/store.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { buildTestApp, type TestApp, testClock, testConfig } from '../rig/app.ts';
import { answerChecker } from '../rig/openapi.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../rig/operator-app.ts';
import { record, transaction } from '../rig/transactions.ts';

const checkAnswer = answerChecker(new URL('../../openapi.json', import.meta.url));
const ANSWER_MS = 2;
const TIMES_CAPACITY = 5;

/** A store that reads one list after the other, each in its time, as a database does whose disk is busy. */
function busyStore(store: Store): Store {
  let line = Promise.resolve();
  return {
    ...store,
    listTransactions: async (question, limit) => {
      line = line.then(() => delay(ANSWER_MS));
      await line;
      return store.listTransactions(question, limit);
    },
  };
}

describe('503 unavailable: more requests than the store can answer', () => {
  let app: TestApp;
  let operatorApp: TestOperatorApp;
  let key: string;
  let url: URL;
  before(async () => {
    const clock = { ...testClock(), monotonicMs: () => performance.now() };
    const { store } = await openStore(IN_MEMORY_URL, clock.now);
    await record(store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
    app = await buildTestApp({ store: busyStore(store), clock });
    operatorApp = await buildTestOperatorApp(store, clock, testConfig);
    key = await app.makeKey('store-1');
    url = new URL(await app.server.listen({ port: 0, host: '127.0.0.1' }));
  });
  after(() => app.server.close());

  const list = () => fetch(`${url.origin}/v1/transactions`, { headers: { authorization: `Bearer ${key}` } });

  const offer = (perSecond: number, connections: number): Promise<OpenLoopResult> =>
    runOpenLoop({
      host: url.hostname,
      port: Number(url.port),
      requests: [`GET /v1/transactions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`],
      perSecond,
      seconds: 2,
      connections,
      patienceMs: 10_000,
    });

  test(`${TIMES_CAPACITY} times as many: as many are answered as ever, and the rest is told at once when to try again`, async () => {
    const peak = await offer(1500, 16);
    assert.equal(peak.failed + peak.refused, 0);

    let isOver = false;
    const overload = offer(peak.goodPerSecond * TIMES_CAPACITY, 2000).finally(() => {
      isOver = true;
    });
    const seen = { refused: 0, answered: 0, recorded: 0 };
    let count = 0;
    for (; !isOver; count++) {
      const answer = await list();
      const text = await answer.text();
      checkAnswer({
        method: 'GET',
        path: '/v1/transactions',
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: text,
      });
      const body = JSON.parse(text);
      if (answer.status === 200) {
        seen.answered++;
        assert.equal(body.data.length, 2);
      } else {
        seen.refused++;
        assert.deepEqual([answer.status, body.code], [503, 'unavailable']);
        assert.equal(answer.headers.get('retry-after'), '1');
      }
      assert.equal((await fetch(`${url.origin}/livez`)).status, 200);
      const recorded = await operatorApp.ask(`/v1/accounts/store-2/transactions/r${count}`, {
        method: 'PUT',
        body: {
          status: 'pending',
          amount: '1.00',
          currencyCode: 'EUR',
          createdAt: '2026-03-01T10:00:00.000Z',
        },
      });
      if (recorded.status === 201) seen.recorded++;
    }
    const { goodPerSecond, refused, failed, gaveUp, goodP50Ms, refusedP50Ms } = await overload;
    assert.equal(failed + gaveUp, 0);
    assert.equal(seen.recorded, count);
    assert.ok(seen.refused > 0, 'nothing was refused');
    assert.ok(goodPerSecond > peak.goodPerSecond / 2, `${goodPerSecond} of ${peak.goodPerSecond} a second`);
    assert.ok(
      refused > 0 && refusedP50Ms < goodP50Ms,
      `${refusedP50Ms} ms to refuse, ${goodP50Ms} to answer`,
    );
    const [told = ''] = app.logged.filter((line) => line.includes('overloaded'));
    assert.match(told, /"refused":\d/);
  });

  test('soon after, everybody is answered', async () => {
    // A machine that is busy with something else stands still at times, and a line may stand then once more.
    for (let round = 1; ; round++) {
      await delay(1000);
      const { good, offered } = await offer(100, 16);
      if (good === offered) break;
      assert.ok(round < 5, `${good} of ${offered} were answered`);
    }
  });
});
