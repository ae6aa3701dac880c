import { type Rounds, serviceRequests } from './list-requests.ts';
import { type Data, type DataSize, databaseOf, LARGE_ACCOUNT } from './rig/data.ts';
import type { LoadRequest } from './rig/load.ts';
import type { OpenLoopPlan, OpenLoopResult } from './rig/open-loop.ts';
import { openLoop } from './rig/open-loop-load.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';

const TIMES_CAPACITY = 5;
/** As proxies in front of a service have them: few, and as many as a bad day brings. */
const FEW_CONNECTIONS = 64;
const MANY_CONNECTIONS = 1000;
const PATIENCE_MS = 2000;
/** As shipped. */
const REQUEST_TIMEOUT = '2000';

const ABUSED_LIMIT = 1000;
const OTHERS_PER_SECOND = 30_000;

const bytesOf = ({ path, headers }: LoadRequest) =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${headers?.['authorization']}\r\n\r\n`;

type Offer = Omit<OpenLoopPlan, 'host' | 'port' | 'patienceMs' | 'seconds'>;

function offer({ url }: MeasuredServer, plan: Offer, seconds: number): Promise<OpenLoopResult> {
  const { hostname, port } = new URL(url);
  return openLoop({ ...plan, host: hostname, port: Number(port), seconds, patienceMs: PATIENCE_MS });
}

/** What is answered of five times as many requests as the service can answer, and what a key costs others that sends too much. */
export async function overload(size: DataSize, rounds: Rounds): Promise<Finding[]> {
  const data = await databaseOf(size);
  return [...(await timesCapacity(size, data, rounds)), ...(await abusiveKey(size, data, rounds))];
}

async function timesCapacity(size: DataSize, { path, keys }: Data, { rounds, secondsEach }: Rounds) {
  const service = await startService(`sqlite:${path}`, { env: { REQUEST_TIMEOUT } });
  const requests = serviceRequests(size, keys).map(bytesOf);
  const seconds = 2 * secondsEach;
  try {
    // More than it can answer, over few connections: as in a closed loop, none waits for a request.
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
    const of = (figure: keyof OpenLoopResult) => found.map(({ over }) => over[figure]);
    const peaks = found.map(({ peak }) => peak.goodPerSecond);
    return [
      {
        question: 'overload: answered at five times the capacity, to the most that is',
        figure: shown(ratioOf(of('goodPerSecond'), peaks)),
        goal: 'at least 0.8',
      },
      {
        question: 'overload: the same, a second',
        figure: shown(spreadOf(of('goodPerSecond')), 0),
        goal: '',
      },
      {
        question: 'overload: p50 of the answered, ms',
        figure: shown(spreadOf(of('goodP50Ms')), 0),
        goal: '',
      },
      {
        question: 'overload: p50 of the refused, ms',
        figure: shown(spreadOf(of('refusedP50Ms')), 0),
        goal: '',
      },
      { question: 'overload: callers that gave up', figure: shown(spreadOf(of('gaveUp')), 0), goal: '0' },
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
    const beside = async (abusesPerSecond: number) => {
      const plan = { requests: abuse, perSecond: abusesPerSecond, connections: FEW_CONNECTIONS };
      const [of, abuser] = await Promise.all([
        offer(service, { requests, perSecond: OTHERS_PER_SECOND, connections: FEW_CONNECTIONS }, seconds),
        offer(service, plan, seconds),
      ]);
      return { others: of, abuser };
    };
    // Uses up the burst after a rest.
    await beside(TIMES_CAPACITY * ABUSED_LIMIT);
    const found: Record<'fair' | 'abused', Awaited<ReturnType<typeof beside>>>[] = [];
    for (let round = 0; round < rounds; round++) {
      note(`abusive key: round ${round + 1} of ${rounds}`);
      found.push({ fair: await beside(ABUSED_LIMIT), abused: await beside(TIMES_CAPACITY * ABUSED_LIMIT) });
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
        question: 'a key at five times its limit: answered to others, to when it keeps its limit',
        figure: ratio('good'),
        goal: 'at least 0.9',
      },
      {
        question: 'a key at five times its limit: p50 of others, the same',
        figure: ratio('goodP50Ms'),
        goal: 'at most 1.1',
      },
      {
        question: 'a key at five times its limit: mean of others, the same',
        figure: ratio('goodMeanMs'),
        goal: '',
      },
      {
        question: 'a key at five times its limit: refused of its own, a second',
        figure: shown(spreadOf(found.map(({ abused }) => abused.abuser.refused / seconds)), 0),
        goal: '',
      },
    ];
  } finally {
    await service.stop();
  }
}
