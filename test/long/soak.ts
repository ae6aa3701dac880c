import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import packageJson from '#package' with { type: 'json' };
import { residentMb } from '../../proof/bench/rig/process-use.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createOperatorKey, startServe } from '../rig/service/process.ts';

/** The Node options of `npm start`. */
const NODE_OPTIONS = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));
/** How many requests start each second, however long earlier requests take. One in five records. */
const PER_SECOND = 100;
const RECORDS_EVERY = 5;
/** The pool is fixed, so that the number of descriptors depends only on the service. */
const MAX_SOCKETS = 16;
/** How many requests an account gets. Then a new account is used, and the old account's key is revoked. */
const ACCOUNT_REQUESTS = 3000;
const SAMPLE_REQUESTS = 500;
/**
 * In a shorter run, the test does not check whether a process grows, because that would show nothing. Neither
 * would the beginning of a run, up to WARM_UP.
 */
const SHORTEST_MINUTES = 10;
const WARM_UP = 0.2;
/**
 * By how much the number of open connections and files can vary. A leak for each account would be larger,
 * because a new account comes every 30 seconds.
 */
const MAX_MORE_DESCRIPTORS = 16;
const MAX_MEMORY_RATIO = 1.25;

const oneDecimal = (value: number) => value.toFixed(1);

/** The medians of the first and the last quarter of the measurements, without the warm-up. */
function endsOf(samples: readonly number[]): [first: number, last: number] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const quarter = Math.max(1, Math.floor(warm.length / 4));
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return [median(warm.slice(0, quarter)), median(warm.slice(-quarter))];
}

interface SoakOptions {
  endsAtMs: number;
  onProgress: (done: number) => void;
}

/** Sends requests to a service, and checks that its process does not grow. Returns the figures. */
export async function soak({ endsAtMs, onProgress }: SoakOptions): Promise<string> {
  const minutes = (endsAtMs - performance.now()) / 60_000;
  const folder = temporaryFolder();
  const options = { cwd: folder.path, env: { OPERATOR_PORT: '0', RATE_LIMIT: 'off' } };
  const operatorKey = await createOperatorKey(options);
  const served = await startServe({ ...options, nodeOptions: NODE_OPTIONS });
  const pid = served.child.pid as number;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const send = async (method: string, url: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(url, { method, headers, agent, signal: AbortSignal.timeout(10_000) });
    const answered = Promise.withResolvers<IncomingMessage>();
    sent.on('response', answered.resolve).on('error', answered.reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await answered.promise;
    const json = await text(response);
    assert.ok((response.statusCode ?? 0) < 300, `${method} ${url} got ${response.statusCode}: ${json}`);
    return json;
  };
  const memory: number[] = [];
  const descriptors: number[] = [];
  const inFlight = new Set<Promise<unknown>>();
  const beganMs = performance.now();
  let account = { base: '', id: '', key: '' };
  let count = 0;
  try {
    for (; performance.now() < endsAtMs; count++) {
      if (count % ACCOUNT_REQUESTS === 0) {
        const { base, id } = account;
        await Promise.all(inFlight);
        if (id !== '') await send('DELETE', `${base}/keys/${id}`, operatorKey);
        account = { ...account, base: `${served.operatorUrl}/v1/accounts/soak-${count}` };
        Object.assign(account, JSON.parse(await send('POST', `${account.base}/keys`, operatorKey, {})));
      }
      if (count % SAMPLE_REQUESTS === 0) {
        memory.push(residentMb(pid));
        descriptors.push(readdirSync(`/proc/${pid}/fd`).length);
        onProgress(count);
      }
      const earlyMs = (count / PER_SECOND) * 1000 - (performance.now() - beganMs);
      if (earlyMs > 0) await delay(earlyMs);
      const body = {
        amount: '1.00',
        currencyCode: 'EUR',
        status: 'pending',
        createdAt: '2026-03-01T00:00:00Z',
      };
      const sent =
        count % RECORDS_EVERY === 0
          ? send('PUT', `${account.base}/transactions/r${count}`, operatorKey, body)
          : send('GET', `${served.url}/v1/transactions?status=pending`, account.key);
      inFlight.add(sent);
      sent.then(() => inFlight.delete(sent));
    }
    await Promise.all(inFlight);
  } finally {
    agent.destroy();
    await served.stop();
    folder.remove();
  }
  const [firstMb, lastMb] = endsOf(memory);
  const [firstOpen, lastOpen] = endsOf(descriptors);
  const figures = `${count} requests in ${oneDecimal(minutes)} min: ${oneDecimal(firstMb)} to ${oneDecimal(lastMb)} MB, descriptors ${firstOpen} to ${lastOpen}`;
  const isGrown = lastMb > firstMb * MAX_MEMORY_RATIO || lastOpen > firstOpen + MAX_MORE_DESCRIPTORS;
  assert.ok(minutes < SHORTEST_MINUTES || !isGrown, figures);
  return figures;
}
