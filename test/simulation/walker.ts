import assert from 'node:assert/strict';
import type { ListFilter } from '../../src/ledger/list/list-filter.ts';
import { EVERYTHING } from '../model/transactions.ts';
import { type KnownTransactions, Walk } from '../rig/data/known-transactions.ts';
import type { Random } from '../rig/run/random.ts';
import type { Instance } from './instance.ts';
import type { KnownKey } from './known-key.ts';
import { CREATED_DAYS, isCarriedByCursor, randomMerchantReference } from './random-transactions.ts';
import { recordBatch, recordBothEnds } from './recorder.ts';
import type { SimulatedResponse, Simulation } from './simulation.ts';

const LIST = '/v1/transactions';
const MAX_TRIES = 25;

interface ReceivedCursor {
  cursor: string;
  sealedBy: Instance;
  expiresAtMs: number;
}

/** Walks through lists as a client does: it repeats requests that got 429 or 503. */
export async function runWalker(simulation: Simulation, random: Random, walks: number): Promise<void> {
  for (let count = 0; count < walks; count++) {
    const key = random.pick(simulation.keys);
    await walkOnce(simulation, random, key, randomFilter(random));
    await retrieveOne(simulation, random, key);
    await simulation.time.delay(random.integer(0, 5) * 100);
  }
}

/** Walks a list that has just grown at both ends, to check that no page comes from a replica with an older state. */
export async function runReplicaWalker(simulation: Simulation, random: Random): Promise<void> {
  const { account } = random.pick(simulation.accounts);
  const key = simulation.keys.find((one) => one.account === account) as KnownKey;
  await recordBatch(simulation, random, simulation.knownOf(account), 'long');
  for (let count = 0; count < 3; count++) {
    await recordBothEnds(simulation, random, account, `ends-${count}`);
    await walkOnce(simulation, random, key);
  }
}

/** A random filter, independent of the rows. */
export function randomFilter(random: Random): ListFilter {
  const days = [random.pick(CREATED_DAYS), random.pick(CREATED_DAYS)].sort();
  return {
    status: random.chance(0.4) ? random.pick(['pending', 'completed']) : null,
    currency: random.chance(0.3) ? random.pick(['EUR', 'USD', 'JPY']) : null,
    from: random.chance(0.2) ? (days[0] as string) : null,
    to: random.chance(0.2) ? (days[1] as string) : null,
    timeZone: null,
    merchantReference: random.chance(0.2) ? randomMerchantReference(random) : null,
  };
}

function queryOf(filter: ListFilter): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(given).toString();
}

/** Walks one list until it ends, or its key expires or its cursor's secret is removed. True if the walk reached the end. */
export async function walkOnce(
  simulation: Simulation,
  random: Random,
  key: KnownKey,
  filter: ListFilter = EVERYTHING,
  maxTries = MAX_TRIES,
): Promise<boolean> {
  const known = simulation.knownOf(key.account);
  const walk = new Walk(filter);
  let received: ReceivedCursor | null = null;
  for (let tries = 0; tries < maxTries; tries++) {
    const query: string = received === null ? queryOf(filter) : nextQuery(random, received, filter);
    const response = await simulation.send({ to: 'public', method: 'GET', url: `${LIST}?${query}`, key });
    if (response === undefined) continue;
    if (response.status === 503 || response.status === 429) {
      await simulation.time.delay(Number(response.headers['retry-after']) * 1000);
      continue;
    }
    if (response.status === 401) return false;
    if (received !== null) checkCursorTime(received, response);
    if (response.status === 400) {
      assert.ok(received !== null, `refused: ${response.text}`);
      received = resumedCursor(simulation, received, response);
      if (received === null) return false;
      continue;
    }
    assert.equal(response.status, 200);
    const again = random.chance(0.15) ? copyOf(walk) : null;
    known.checkPage(walk, response.body, simulation.floorOf(response), response);
    if (again !== null) await repeatRequest(simulation, known, again, `${LIST}?${query}`, key, response);
    if (response.body.nextCursor === null) return true;

    received = readCursor(simulation, response);
    if (random.chance(0.15) && isCarriedByCursor(filter.merchantReference))
      await misuseCursor(simulation, random, key, received, filter);
    if (random.chance(0.3)) await simulation.time.delay(random.integer(1, 10) * 100);
  }
  return false;
}

/** The cursor alone or with the filters. A cursor that can't carry the filters needs them. */
function nextQuery(random: Random, { cursor }: ReceivedCursor, filter: ListFilter): string {
  const isAlone = random.chance(0.5) && isCarriedByCursor(filter.merchantReference);
  return `cursor=${cursor}${isAlone ? '' : `&${queryOf(filter)}`}`.replace(/&$/, '');
}

function readCursor(
  { options }: Simulation,
  { body, headers, instance, wall }: SimulatedResponse,
): ReceivedCursor {
  const expiresAtMs = Date.parse(String(headers['cursor-expires']));
  checkExpiry(options.cursorLifetimeSeconds, expiresAtMs, wall);
  return { cursor: body.nextCursor, sealedBy: instance, expiresAtMs };
}

function checkExpiry(lifetimeSeconds: number, expiresAtMs: number, wall: SimulatedResponse['wall']): void {
  const lifetimeMs = lifetimeSeconds * 1000;
  assert.ok(
    wall.minMs + lifetimeMs <= expiresAtMs && expiresAtMs <= wall.maxMs + lifetimeMs,
    'the cursor has a wrong expiry',
  );
}

function canOpen(instance: Instance, { sealedBy }: ReceivedCursor): boolean {
  return instance.secrets.includes(sealedBy.secrets[0] as string);
}

function checkCursorTime(
  received: ReceivedCursor,
  { status, body, instance, wall }: SimulatedResponse,
): void {
  if (status === 200) {
    assert.ok(wall.minMs < received.expiresAtMs, 'an expired cursor was accepted');
    assert.ok(canOpen(instance, received), 'a cursor sealed with a removed secret was accepted');
  } else if (body.code === 'cursor_expired') {
    assert.ok(wall.maxMs >= received.expiresAtMs, 'a cursor was refused before its expiry');
  }
}

/** The cursor with which a walk goes on after a refusal, or null if the secret of its cursor was removed. */
function resumedCursor(
  { options }: Simulation,
  received: ReceivedCursor,
  { body, instance, wall }: SimulatedResponse,
): ReceivedCursor | null {
  if (!canOpen(instance, received)) {
    assert.equal(body.code, 'cursor_malformed');
    return null;
  }
  assert.equal(body.code, 'cursor_expired', 'a valid cursor was refused');
  const resumed = new URLSearchParams(body.resume.slice(`${LIST}?`.length));
  const cursor = resumed.get('cursor') as string;
  assert.notEqual(cursor, received.cursor);
  const expiresAtMs = Date.parse(/ until (\S+): /.exec(body.detail)?.[1] ?? '');
  checkExpiry(options.cursorLifetimeSeconds, expiresAtMs, wall);
  return { cursor, sealedBy: instance, expiresAtMs };
}

function copyOf(walk: Walk): Walk {
  const copy = new Walk(walk.filter);
  copy.last = walk.last;
  copy.floor = walk.floor;
  for (const reference of walk.seen) copy.seen.add(reference);
  return copy;
}

/** Sends a query again: if nothing was recorded in between, the page is the same. */
async function repeatRequest(
  simulation: Simulation,
  known: KnownTransactions,
  walk: Walk,
  url: string,
  key: KnownKey,
  before: SimulatedResponse,
): Promise<void> {
  const response = await simulation.send({ to: 'public', method: 'GET', url, key });
  if (response?.status !== 200) return;
  known.checkPage(walk, response.body, simulation.floorOf(response), response);
  if (known.isSettled(simulation.floorOf(before))) assert.deepEqual(response.body.data, before.body.data);
}

/** A cursor belongs to its account and to its filters. */
async function misuseCursor(
  simulation: Simulation,
  random: Random,
  key: KnownKey,
  received: ReceivedCursor,
  filter: ListFilter,
): Promise<void> {
  const stranger = simulation.keys.find(({ account }) => account !== key.account) as KnownKey;
  const isForeign = random.chance(0.5);
  const other = filter.status === 'pending' ? 'completed' : 'pending';
  const url = `${LIST}?cursor=${received.cursor}${isForeign ? '' : `&status=${other}`}`;
  const response = await simulation.send({
    to: 'public',
    method: 'GET',
    url,
    key: isForeign ? stranger : key,
  });
  if (response === undefined || [401, 429, 503].includes(response.status)) return;
  assert.equal(response.status, 400, 'a cursor was accepted for another account or filter');
  const codes =
    isForeign || !canOpen(response.instance, received)
      ? ['cursor_malformed']
      : ['cursor_filter_mismatch', 'invalid_request'];
  assert.ok(codes.includes(response.body.code), `a misused cursor got ${response.body.code}`);
}

async function retrieveOne(simulation: Simulation, random: Random, key: KnownKey): Promise<void> {
  const known = simulation.knownOf(key.account);
  const own = known.rows.filter(({ fields }) => fields.reference !== '');
  const { rows } = random.pick(simulation.accounts);
  const [wanted] = [random.chance(0.8) ? own : rows].flatMap((some) =>
    some.length > 0 ? [random.pick(some)] : [],
  );
  const reference = wanted?.fields.reference || 'unknown';
  const response = await simulation.send({ to: 'public', method: 'GET', url: `${LIST}/${reference}`, key });
  if (response === undefined || [401, 429, 503].includes(response.status)) return;
  const row = known.find(reference);
  if (response.status === 200) {
    assert.equal(response.body.reference, reference);
    known.checkShown(response.body, response.startedAt, response);
  } else {
    assert.equal(response.status, 404);
    const possible =
      row === undefined ? [null] : known.possibleStates(row, response.startedAt, response.endedAt);
    assert.ok(possible.includes(null), `${reference} is recorded, and was not found`);
  }
}
