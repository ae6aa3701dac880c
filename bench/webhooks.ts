import { CONNECTIONS, type Rounds, warmUp } from './list-requests.ts';
import { type DataSize, TINY } from './rig/data.ts';
import { type LoadResult, load } from './rig/load.ts';
import { type Finding, note } from './rig/report.ts';
import { percentileOf, ratioOf, shown, spreadOf } from './rig/statistics.ts';
import { type Delivered, DeliveringService } from './webhooks/delivering-service.ts';

const ENDPOINTS = 1000;
const TINY_ENDPOINTS = 20;
const CHANGES_EACH = 10;
/** Deliveries that wait when lists begin: more than are made meanwhile. */
const BACKLOG = 30_000;

/** What endpoints that fail cost the others, and what deliveries cost lists, in turns with and without. */
export async function webhooks(size: DataSize, scale: Rounds): Promise<Finding[]> {
  const service = await DeliveringService.start(size === TINY ? TINY_ENDPOINTS : ENDPOINTS);
  try {
    return [...(await badEndpoints(service, scale)), ...(await besideLists(service, scale))];
  } finally {
    await service.stop();
  }
}

/** Delivers some changes to each endpoint, while two more endpoints have other receivers. */
async function deliverBeside(service: DeliveringService, urls: readonly string[]): Promise<Delivered> {
  const { accounts } = service;
  const removals = [];
  for (const [index, url] of urls.entries())
    removals.push(await service.addEndpoint(accounts[index] as string, url));
  const delivered = await service.delivered(accounts.length * CHANGES_EACH, () =>
    service.record(CHANGES_EACH),
  );
  for (const remove of removals) await remove();
  return delivered;
}

async function badEndpoints(service: DeliveringService, { rounds }: Rounds): Promise<Finding[]> {
  const { accepting, hanging, refusing } = service.addresses;
  const good = [`${accepting}/1`, `${accepting}/2`];
  const bad = [`${refusing}/`, `${hanging}/`];
  await deliverBeside(service, good);
  const found: Record<'good' | 'bad', Delivered>[] = [];
  for (let round = 1; round <= rounds; round++) {
    note(`webhooks: a refusing and a hanging receiver, round ${round} of ${rounds}`);
    found.push({ bad: await deliverBeside(service, bad), good: await deliverBeside(service, good) });
  }
  const ratio = (figure: (delivered: Delivered) => number) =>
    shown(
      ratioOf(
        found.map(({ bad }) => figure(bad)),
        found.map(({ good }) => figure(good)),
      ),
    );
  const name = `webhooks: with a refusing and a hanging receiver beside ${service.accounts.length} others`;
  const medianOf = ({ laterMs }: Delivered) => percentileOf(laterMs, 0.5);
  return [
    [
      `${name}, time of the others' deliveries, relative to without`,
      ratio((one) => one.tookMs),
      'at most 1.05',
    ],
    [`${name}, median from recording to arrival, relative to without`, ratio(medianOf), 'at most 1.05'],
    [`${name}, CPU of the service, relative to without`, ratio((one) => one.cpuMs), 'at most 1.05'],
    [
      'webhooks: deliveries a second, with their recording',
      shown(spreadOf(found.map(({ good }) => (good.count / good.tookMs) * 1000)), 0),
      '',
    ],
  ].map(([name = '', figure = '', goal = '']) => ({ name, figure, goal }));
}

interface BesideLists {
  alone: LoadResult;
  beside: LoadResult;
  deliveriesPerSecond: number;
  /** The deliveries that were left when the lists ended. */
  rest: Delivered;
}

async function besideLists(service: DeliveringService, scale: Rounds): Promise<Finding[]> {
  const requests = [...service.keys.values()].map((key) => ({
    path: '/v1/transactions',
    headers: { authorization: `Bearer ${key}` },
  }));
  const lists = async () => {
    const plan = { connections: CONNECTIONS, seconds: scale.secondsEach };
    const result = await load(service.service.url, requests, plan);
    if (result.non2xx > 0 || result.answered === 0) throw new Error(`${result.non2xx} requests failed`);
    return result;
  };
  await warmUp(service.service, requests, scale);
  // So that each account has its part of the backlog.
  const recording = () => service.record(BACKLOG / service.accounts.length);
  await service.delivered(BACKLOG, recording);
  const found: BesideLists[] = [];
  for (let round = 1; round <= scale.rounds; round++) {
    note(`webhooks: deliveries beside lists, round ${round} of ${scale.rounds}`);
    found.push({ alone: await lists(), ...(await deliverBesideLists(service, lists)) });
  }
  return findingsBesideLists(found);
}

async function deliverBesideLists(
  service: DeliveringService,
  lists: () => Promise<LoadResult>,
): Promise<Omit<BesideLists, 'alone'>> {
  const replayed = await service.replay(BACKLOG / service.accounts.length);
  const first = await service.delivered(1);
  const startedAtMs = performance.now();
  const beside = await lists();
  const { count } = await service.accepted();
  const deliveriesPerSecond = (count / (performance.now() - startedAtMs)) * 1000;
  const left = replayed - first.count - count;
  if (left <= 0) throw new Error('the deliveries ended before the lists');
  return { beside, deliveriesPerSecond, rest: await service.delivered(left) };
}

function findingsBesideLists(found: readonly BesideLists[]): Finding[] {
  const ratio = (figure: 'p50Ms' | 'p99Ms' | 'perSecond') =>
    shown(
      ratioOf(
        found.map(({ beside }) => beside[figure]),
        found.map(({ alone }) => alone[figure]),
      ),
    );
  const spread = (figure: (one: BesideLists) => number) => shown(spreadOf(found.map(figure)), 0);
  return [
    [
      'webhooks: lists at full load beside deliveries, median, relative to without',
      ratio('p50Ms'),
      'at most 1.2',
    ],
    ['webhooks: the same, p99', ratio('p99Ms'), ''],
    ['webhooks: the same, lists a second', ratio('perSecond'), ''],
    [
      'webhooks: deliveries a second beside lists at full load',
      spread(({ deliveriesPerSecond }) => deliveriesPerSecond),
      '',
    ],
    [
      'webhooks: deliveries a second of a backlog',
      spread(({ rest }) => (rest.count / rest.tookMs) * 1000),
      '',
    ],
    ['webhooks: CPU of a delivery, microseconds', spread(({ rest }) => (rest.cpuMs / rest.count) * 1000), ''],
  ].map(([name = '', figure = '', goal = '']) => ({ name, figure, goal }));
}
