import { type Rounds, serviceRequests } from './list-requests.ts';
import { type Data, type DataSize, databaseOf, LARGE_ACCOUNT } from './rig/data.ts';
import type { LoadRequest } from './rig/load.ts';
import type { OpenLoopPlan, OpenLoopResult } from './rig/open-loop.ts';
import { openLoop } from './rig/open-loop-load.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';

const TIMES_CAPACITY = 5;
/** Connections of proxies in front of the service: in normal operation, and during an overload. */
const FEW_CONNECTIONS = 64;
const MANY_CONNECTIONS = 1000;
const CALLER_TIMEOUT_MS = 2000;
/** The default of the setting. */
const REQUEST_TIMEOUT = '2000';

const ABUSED_LIMIT = 1000;
const OTHERS_PER_SECOND = 30_000;

const bytesOf = ({ path, headers }: LoadRequest) =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${headers?.['authorization']}\r\n\r\n`;

type Offer = Omit<OpenLoopPlan, 'host' | 'port' | 'callerTimeoutMs' | 'seconds'>;

function offer({ url }: MeasuredServer, plan: Offer, seconds: number): Promise<OpenLoopResult> {
  const { hostname, port } = new URL(url);
  return openLoop({
    ...plan,
    host: hostname,
    port: Number(port),
    seconds,
    callerTimeoutMs: CALLER_TIMEOUT_MS,
  });
}

/** The service at five times its capacity, and the effect of one key above its rate limit on other keys. */
export async function overload(size: DataSize, rounds: Rounds): Promise<Finding[]> {
  const data = await databaseOf(size);
  return [...(await timesCapacity(size, data, rounds)), ...(await abusiveKey(size, data, rounds))];
}

async function timesCapacity(size: DataSize, { path, keys }: Data, { rounds, secondsEach }: Rounds) {
  const service = await startService(`sqlite:${path}`, { env: { REQUEST_TIMEOUT } });
  const requests = serviceRequests(size, keys).map(bytesOf);
  const seconds = 2 * secondsEach;
  try {
    // More than the capacity, over a few connections: like a closed loop, every connection is always busy.
    const atMost = () =>
      offer(service, { requests, perSecond: 30_000, connections: FEW_CONNECTIONS }, seconds);
    await atMost();
    const found: { peak: OpenLoopResult; over: OpenLoopResult }[] = [];
    for (let round = 0; round < rounds; round++) {
      note(`overload: round ${round + 1} of ${rounds}`);
      const peak = await atMost();
      const perSecond = TIMES_CAPACITY * peak.goodPerSecond;
      const over = await offer(service, { requests, perSecond, connections: MANY_CONNECTIONS }, seconds);
      found.push({ peak, over });
    }
    const of = (figure: Exclude<keyof OpenLoopResult, 'windows'>) => found.map(({ over }) => over[figure]);
    const peaks = found.map(({ peak }) => peak.goodPerSecond);
    return [
      {
        name: 'overload: successful requests at five times the capacity, relative to the capacity',
        figure: shown(ratioOf(of('goodPerSecond'), peaks)),
        goal: 'at least 0.8',
      },
      {
        name: 'overload: successful requests a second at five times the capacity',
        figure: shown(spreadOf(of('goodPerSecond')), 0),
        goal: '',
      },
      {
        name: 'overload: p50 of successful requests, ms',
        figure: shown(spreadOf(of('goodP50Ms')), 0),
        goal: '',
      },
      {
        name: 'overload: p50 of refused requests, ms',
        figure: shown(spreadOf(of('refusedP50Ms')), 0),
        goal: '',
      },
      {
        name: 'overload: requests that callers gave up',
        figure: shown(spreadOf(of('gaveUp')), 0),
        goal: '0',
      },
    ];
  } finally {
    await service.stop();
  }
}

async function abusiveKey(size: DataSize, { path, keys }: Data, { rounds, secondsEach }: Rounds) {
  const service = await startService(`sqlite:${path}`, {
    env: { RATE_LIMIT: String(ABUSED_LIMIT), REQUEST_TIMEOUT },
  });
  const abused = `Bearer ${keys[LARGE_ACCOUNT]}`;
  const requests = serviceRequests(size, keys)
    .filter(({ headers }) => headers?.['authorization'] !== abused)
    .map(bytesOf);
  const abuse = [bytesOf({ path: '/v1/transactions', headers: { authorization: abused } })];
  const seconds = 2 * secondsEach;
  try {
    const withAbuse = async (abusesPerSecond: number) => {
      const plan = { requests: abuse, perSecond: abusesPerSecond, connections: FEW_CONNECTIONS };
      const [of, abuser] = await Promise.all([
        offer(service, { requests, perSecond: OTHERS_PER_SECOND, connections: FEW_CONNECTIONS }, seconds),
        offer(service, plan, seconds),
      ]);
      return { others: of, abuser };
    };
    // Uses up the burst of the rate limit.
    await withAbuse(TIMES_CAPACITY * ABUSED_LIMIT);
    const found: Record<'fair' | 'abused', Awaited<ReturnType<typeof withAbuse>>>[] = [];
    for (let round = 0; round < rounds; round++) {
      note(`abusive key: round ${round + 1} of ${rounds}`);
      found.push({
        fair: await withAbuse(ABUSED_LIMIT),
        abused: await withAbuse(TIMES_CAPACITY * ABUSED_LIMIT),
      });
    }
    const ratio = (figure: 'good' | 'goodP50Ms' | 'goodMeanMs') =>
      shown(
        ratioOf(
          found.map(({ abused }) => abused.others[figure]),
          found.map(({ fair }) => fair.others[figure]),
        ),
      );
    return [
      {
        name: 'a key at five times its rate limit: successful requests of other keys, relative to a key at its limit',
        figure: ratio('good'),
        goal: 'at least 0.9',
      },
      {
        name: 'a key at five times its rate limit: p50 of other keys, relative to a key at its limit',
        figure: ratio('goodP50Ms'),
        goal: 'at most 1.1',
      },
      {
        name: 'a key at five times its rate limit: mean time of other keys, relative to a key at its limit',
        figure: ratio('goodMeanMs'),
        goal: '',
      },
      {
        name: 'a key at five times its rate limit: its refused requests a second',
        figure: shown(spreadOf(found.map(({ abused }) => abused.abuser.refused / seconds)), 0),
        goal: '',
      },
    ];
  } finally {
    await service.stop();
  }
}
