import assert from 'node:assert/strict';
import { type ListFilter, NO_FILTER } from '../../src/core/list/list-filter.ts';
import { type KnownTransactions, Walk } from '../rig/known-transactions.ts';
import type { Random } from '../rig/random.ts';
import { CREATED_DAYS, isCarried, merchantReference } from './facts.ts';
import { recordBatch, recordBothEnds } from './recorder.ts';
import type { Answer, Instance, KnownKey, World } from './world.ts';

const LIST = '/v1/transactions';
const MAX_TRIES = 25;
const DAY_MS = 86_400_000;

interface Held {
  cursor: string;
  sealedBy: Instance;
  expiresAtMs: number;
}

/** Walks through lists as a client does: it tries again where the service could not answer. */
export async function walker(world: World, random: Random, walks: number): Promise<void> {
  for (let count = 0; count < walks; count++) {
    const key = random.pick(world.keys);
    await walkOnce(world, random, key, randomFilter(random));
    await retrieveOne(world, random, key);
    await world.time.delay(random.integer(0, 5) * 100);
  }
}

/** Walks lists that have just grown at both ends, for pages that replicas answer. */
export async function follower(world: World, random: Random): Promise<void> {
  const { account } = random.pick(world.accounts);
  const key = world.keys.find((one) => one.account === account) as KnownKey;
  await recordBatch(world, random, world.factsOf(account), 'long');
  for (let count = 0; count < 3; count++) {
    await recordBothEnds(world, random, account, `ends-${count}`);
    await walkOnce(world, random, key);
  }
}

/** Drawn without a look at the rows. */
export function randomFilter(random: Random): ListFilter {
  const days = [random.pick(CREATED_DAYS), random.pick(CREATED_DAYS)].sort();
  return {
    status: random.chance(0.4) ? random.pick(['pending', 'completed']) : null,
    currency: random.chance(0.3) ? random.pick(['EUR', 'USD', 'JPY']) : null,
    from: random.chance(0.2) ? (days[0] as string) : null,
    to: random.chance(0.2) ? (days[1] as string) : null,
    merchantReference: random.chance(0.2) ? merchantReference(random) : null,
  };
}

function queryOf(filter: ListFilter): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(given).toString();
}

/** Walks one list to its end, or as far as its key and its cursors last; true where it came to the end. */
export async function walkOnce(
  world: World,
  random: Random,
  key: KnownKey,
  filter: ListFilter = NO_FILTER,
  maxTries = MAX_TRIES,
): Promise<boolean> {
  const facts = world.factsOf(key.account);
  const walk = new Walk(filter);
  let held: Held | null = null;
  for (let tries = 0; tries < maxTries; tries++) {
    const query: string = held === null ? queryOf(filter) : nextQuery(random, held, filter);
    const answer = await world.send({ to: 'public', method: 'GET', url: `${LIST}?${query}`, key });
    if (answer === undefined) continue;
    if (answer.status === 503 || answer.status === 429) {
      await world.time.delay(Number(answer.headers['retry-after']) * 1000);
      continue;
    }
    if (answer.status === 401) return false;
    if (held !== null) checkCursorTime(held, answer);
    if (answer.status === 400) {
      assert.ok(held !== null, `refused: ${answer.text}`);
      checkRefusedCursor(walk, held, answer);
      return false;
    }
    assert.equal(answer.status, 200);
    const again = random.chance(0.15) ? copyOf(walk) : null;
    facts.checkPage(walk, answer.body, world.floorOf(answer), answer);
    if (again !== null) await askAgain(world, facts, again, `${LIST}?${query}`, key, answer);
    if (answer.body.nextCursor === null) return true;

    held = heldCursor(world, answer);
    if (random.chance(0.15) && isCarried(filter.merchantReference))
      await misuse(world, random, key, held, filter);
    if (random.chance(0.3)) await world.time.delay(random.integer(1, 10) * 100);
  }
  return false;
}

/** The cursor alone, or with the filters of the list, as it must be where it can't carry them. */
function nextQuery(random: Random, { cursor }: Held, filter: ListFilter): string {
  const isAlone = random.chance(0.5) && isCarried(filter.merchantReference);
  return `cursor=${cursor}${isAlone ? '' : `&${queryOf(filter)}`}`.replace(/&$/, '');
}

function heldCursor({ options }: World, { body, headers, instance, wall }: Answer): Held {
  const expiresAtMs = Date.parse(String(headers['cursor-expires']));
  const lifetimeMs = options.cursorLifetimeSeconds * 1000;
  assert.ok(
    wall.minMs + lifetimeMs <= expiresAtMs && expiresAtMs <= wall.maxMs + lifetimeMs,
    'the cursor expires at a wrong time',
  );
  return { cursor: body.nextCursor, sealedBy: instance, expiresAtMs };
}

function isOpenTo(instance: Instance, { sealedBy }: Held): boolean {
  return instance.secrets.includes(sealedBy.secrets[0] as string);
}

function checkCursorTime(held: Held, { status, body, instance, wall }: Answer): void {
  if (status === 200) {
    assert.ok(wall.minMs < held.expiresAtMs, 'an expired cursor was taken');
    assert.ok(isOpenTo(instance, held), 'a cursor of a secret that is gone was taken');
  } else if (body.code === 'cursor_expired') {
    assert.ok(wall.maxMs >= held.expiresAtMs, 'a cursor was refused before its time');
  }
}

function checkRefusedCursor({ filter, last }: Walk, held: Held, { body, instance }: Answer): void {
  if (!isOpenTo(instance, held)) {
    assert.equal(body.code, 'cursor_malformed');
    return;
  }
  assert.equal(body.code, 'cursor_expired', 'a good cursor was refused');
  // How to go on: the same list from the day of the last row on.
  const to = new Date(last?.createdAtMs as number).toISOString().slice(0, 10);
  assert.equal(body.resume, `${LIST}?${queryOf({ ...filter, to })}`);
  assert.ok(filter.from === null || Date.parse(to) - Date.parse(filter.from) <= 90 * DAY_MS);
}

function copyOf(walk: Walk): Walk {
  const copy = new Walk(walk.filter);
  copy.last = walk.last;
  copy.floor = walk.floor;
  for (const reference of walk.seen) copy.seen.add(reference);
  return copy;
}

/** The same question again is answered by the same page, but for what is recorded meanwhile. */
async function askAgain(
  world: World,
  facts: KnownTransactions,
  walk: Walk,
  url: string,
  key: KnownKey,
  before: Answer,
): Promise<void> {
  const answer = await world.send({ to: 'public', method: 'GET', url, key });
  if (answer?.status !== 200) return;
  facts.checkPage(walk, answer.body, world.floorOf(answer), answer);
  if (facts.isSettled(world.floorOf(before))) assert.deepEqual(answer.body.data, before.body.data);
}

/** A cursor belongs to its account and to its filters. */
async function misuse(
  world: World,
  random: Random,
  key: KnownKey,
  held: Held,
  filter: ListFilter,
): Promise<void> {
  const stranger = world.keys.find(({ account }) => account !== key.account) as KnownKey;
  const isForeign = random.chance(0.5);
  const other = filter.status === 'pending' ? 'completed' : 'pending';
  const url = `${LIST}?cursor=${held.cursor}${isForeign ? '' : `&status=${other}`}`;
  const answer = await world.send({ to: 'public', method: 'GET', url, key: isForeign ? stranger : key });
  if (answer === undefined || [401, 429, 503].includes(answer.status)) return;
  assert.equal(answer.status, 400, 'a cursor was taken for what it was not made for');
  const codes =
    isForeign || !isOpenTo(answer.instance, held)
      ? ['cursor_malformed']
      : ['cursor_filter_mismatch', 'invalid_request'];
  assert.ok(codes.includes(answer.body.code), `a misused cursor was told as ${answer.body.code}`);
}

async function retrieveOne(world: World, random: Random, key: KnownKey): Promise<void> {
  const facts = world.factsOf(key.account);
  const own = facts.rows.filter(({ fields }) => fields.reference !== '');
  const { rows } = random.pick(world.accounts);
  const [wanted] = [random.chance(0.8) ? own : rows].flatMap((some) =>
    some.length > 0 ? [random.pick(some)] : [],
  );
  const reference = wanted?.fields.reference || 'none-such';
  const answer = await world.send({ to: 'public', method: 'GET', url: `${LIST}/${reference}`, key });
  if (answer === undefined || [401, 429, 503].includes(answer.status)) return;
  const row = facts.find(reference);
  if (answer.status === 200) {
    assert.equal(answer.body.reference, reference);
    facts.checkShown(answer.body, answer.startedAt, answer);
  } else {
    assert.equal(answer.status, 404);
    const possible = row === undefined ? [null] : facts.possible(row, answer.startedAt, answer.endedAt);
    assert.ok(possible.includes(null), `${reference} is recorded, and was not found`);
  }
}
