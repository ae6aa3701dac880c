import assert from 'node:assert/strict';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { dayOf } from '../model/calendar.ts';
import { isTooFarAhead, type ModelAccount, type ModelKey } from '../model/ledger.ts';
import { bodyOf, shownOf } from '../model/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { laterVersion, randomTransaction } from './random-transactions.ts';
import { READINGS } from './readings.ts';
import { put } from './recordings.ts';
import type { World } from './world.ts';

/** Ends a command of the operator somewhere, as a kill does. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** At most so many things happen beside one command. */
const MOST = 8;

/** Calls of a command of the operator at which something happens, or which interrupt it. */
export function sometimes(random: Random, happen: () => Promise<void>, world: World) {
  let left = random.integer(0, MOST);
  let untilInterrupted = random.chance(0.25) ? random.integer(1, 12) : Number.POSITIVE_INFINITY;
  return async () => {
    if (--untilInterrupted === 0) {
      world.note('(interrupted)');
      throw new Interrupted('interrupted');
    }
    if (left === 0 || random.chance(0.5)) return;
    left--;
    await happen();
  };
}

/** Runs a command until it is not interrupted. */
export async function untilEnded<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
  }
}

/** What is done with an account while a part of it is archived: `leaving` may be there or not. */
export async function besideArchive(
  world: World,
  name: string,
  { before, random }: { before: string; random: Random },
): Promise<void> {
  const account = world.account(name);
  const leaving = new Set(account.archivable(before).map(({ reference }) => reference));
  const act = random.integer(0, 3);
  if (act === 0) await readWhileArchived(world, name, leaving);
  else if (act === 1 && leaving.size > 0)
    await putWhileArchived(world, name, {
      transaction: account.rows.get(random.pick([...leaving])) as Transaction,
      before,
      random,
    });
  else {
    const staying = account.list(({ reference }) => !leaving.has(reference));
    const known = staying.length > 0 && random.chance(0.6) ? random.pick(staying) : undefined;
    // A transaction that is created on another day than an archived one of its reference is another one.
    const version = known && laterVersion(random, known);
    const transaction =
      known === undefined || version?.createdAtMs !== known.createdAtMs
        ? randomTransaction(random, `${name}.${world.newName()}`)
        : version;
    await putWhileArchived(world, name, { transaction, before, random });
  }
}

/** A recording does what it does before the archive, or it is refused because its day is archived. */
async function putWhileArchived(
  world: World,
  name: string,
  { transaction, before, random }: { transaction: Transaction; before: string; random: Random },
): Promise<void> {
  const account = world.account(name);
  const decision = account.decide(transaction, world.now());
  const answer = await world.operator(`/v1/accounts/${name}/transactions/${transaction.reference}`, {
    method: 'PUT',
    body: bodyOf(transaction),
  });
  const expected = { recorded: 201, changed: 200, unchanged: 200, conflict: 409, invalid: 422 }[
    decision.outcome
  ];
  const { status } = answer ?? assert.fail();
  const canBeArchived = status === 422 && dayOf(transaction.createdAtMs, null) < before;
  assert.ok(status === expected || canBeArchived, `${status}, not ${expected}: ${answer?.text}`);
  const added = await world.settle(name, [{ account: name, transaction }], random);
  const isMade = decision.outcome === 'recorded' || decision.outcome === 'changed';
  assert.equal(added.length, isMade && status !== 422 ? 1 : 0);
}

/** All rows that stay are there, and no others but those that leave. */
async function readWhileArchived(world: World, name: string, leaving: ReadonlySet<string>): Promise<void> {
  const account = world.account(name);
  const shown: { reference: string }[] = [];
  for (let query = ''; ; ) {
    const { body } = await world.readOk(name, `/v1/transactions?${query}`);
    shown.push(...body.data);
    if (body.nextCursor === null) break;
    query = `cursor=${body.nextCursor}`;
  }
  const references = new Set(shown.map(({ reference }) => reference));
  const expected = account.list(({ reference }) => references.has(reference) || !leaving.has(reference));
  assert.deepEqual(shown, expected.map(shownOf));
}

/** What is done with an account while it is erased: it records nothing, and no key of it reads. Returns what was recorded after it. */
export async function besideErasure(
  world: World,
  name: string,
  { keys, random }: { keys: readonly ModelKey[]; random: Random },
): Promise<Transaction[]> {
  const transaction = randomTransaction(random, `${name}.${world.newName()}`);
  if (random.chance(0.4) && keys.length > 0) {
    const { key } = random.pick(keys);
    const answer = await world.deployment.sendPublic('/v1/transactions', { key });
    // Other processes learn of the end of a key within a second.
    const isEnded = answer?.status === 401 || !world.deployment.isExact;
    assert.ok(isEnded, `a key of the erased account reads: ${answer?.text}`);
    return [];
  }
  const answer = await world.operator(`/v1/accounts/${name}/transactions/${transaction.reference}`, {
    method: 'PUT',
    body: bodyOf(transaction),
  });
  const isInvalid = isTooFarAhead(transaction, world.now());
  // A process can send just after the erasure has ended: then this begins the account again.
  const isRecorded = answer?.status === 201 && !world.deployment.isExact;
  assert.ok(
    answer?.status === 503 || (isInvalid && answer?.status === 422) || isRecorded,
    `not refused: ${answer?.text}`,
  );
  return isRecorded ? [transaction] : [];
}

/** Another account is not affected. */
export async function besideOther(world: World, names: readonly string[], name: string, random: Random) {
  const other = random.pick(names.filter((one) => one !== name));
  if (random.chance(0.5)) await put(world, other, random);
  else await random.pick(READINGS)(world, other, random);
}

/** The lines of the files of an archive: exactly what was final and old when it began, and perhaps what became so meanwhile. */
export function assertArchived(
  account: ModelAccount,
  { before, atLeast, moved }: { before: string; atLeast: readonly Transaction[]; moved: readonly string[] },
): Transaction[] {
  const possible = new Map(account.archivable(before).map((row) => [row.reference, row]));
  for (const { reference } of atLeast) assert.ok(moved.includes(reference), `${reference} is in no file`);
  assert.equal(new Set(moved).size, moved.length, 'a transaction is twice in the files');
  return moved.map((reference) => {
    const row = possible.get(reference);
    assert.ok(row !== undefined, `${reference} is in a file`);
    assert.ok(dayOf(row.createdAtMs, null) < before || account.archivedBefore !== null);
    return row;
  });
}
