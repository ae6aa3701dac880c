import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { afterRemoval, type ModelAccount } from '../model/ledger.ts';
import { bodyOf, type Difference, differencesOf, shownOf } from '../model/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import type { Answer } from './deployment.ts';
import { finalVersion, laterVersion, randomTransaction, withOneDifference } from './random-transactions.ts';
import type { SentTransaction, World } from './world.ts';

/** So few that many steps mean the same transaction. */
const REFERENCES = 30;
/** Idempotency keys, which an erased account can use again. */
const KEYS = 8;

/** A new transaction, one that is recorded, or one that was archived. */
function anyTransaction(name: string, account: ModelAccount, random: Random): Transaction {
  const { rows, archivedRows } = account;
  if (archivedRows.length > 0 && random.chance(0.15)) return random.pick(archivedRows);
  if (rows.size > 0 && random.chance(0.45)) return laterVersion(random, random.pick([...rows.values()]));
  return randomTransaction(random, `${name}.r${random.integer(1, REFERENCES)}`);
}

const sorted = (differences: readonly Difference[]) =>
  differences.toSorted((one, other) => (one.field < other.field ? -1 : 1));

const STATUS_OF = { recorded: 201, changed: 200, unchanged: 200, conflict: 409, invalid: 422 } as const;

export async function put(world: World, name: string, random: Random): Promise<void> {
  const account = world.account(name);
  await putOne(world, name, anyTransaction(name, account, random), random);
}

async function putOne(world: World, name: string, transaction: Transaction, random: Random): Promise<void> {
  const account = world.account(name);
  const decision = account.decide(transaction, world.now());
  const { reference } = transaction;
  const answer = await world.operator(`/v1/accounts/${name}/transactions/${reference}`, {
    method: 'PUT',
    body: bodyOf(transaction),
  });
  assert.ok(answer !== undefined);
  assert.equal(answer.status, STATUS_OF[decision.outcome], `expected ${decision.outcome}: ${answer.text}`);
  const added = await world.settle(name, [{ account: name, transaction }], random);
  if (decision.outcome === 'conflict') {
    assert.equal(answer.body.code, 'transaction_conflict');
    assert.deepEqual(sorted(answer.body.differences), sorted(decision.differences));
  } else if (decision.outcome === 'invalid') {
    assert.deepEqual(
      answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/createdAt'],
    );
  } else {
    world.assertShown(answer.body, account.rows.get(reference) as Transaction, 'the response to a PUT');
    assertOutcome(answer, decision.outcome, account, transaction);
  }
  assert.equal(added.length, decision.outcome === 'recorded' || decision.outcome === 'changed' ? 1 : 0);
}

/** The headers name the change that recorded the transaction as the response has it. */
function assertOutcome(
  { headers }: Answer,
  outcome: string,
  account: ModelAccount,
  { reference, status }: Transaction,
): void {
  const change = account.changesOf(reference).findLast(({ transaction }) => transaction.status === status);
  assert.deepEqual(
    [headers['recording-outcome'], Number(headers['change-sequence']), headers['change-id']],
    [outcome, change?.sequence, change?.id],
  );
}

/** Removes the details of a transaction that is recorded, was archived, or never was. */
export async function removeDetails(world: World, name: string, random: Random): Promise<void> {
  const account = world.account(name);
  const reference = random.pick([...account.rows.keys(), `${name}.nobody`]);
  const isRecorded = account.rows.has(reference);
  const atLeastMs = Math.floor(world.now());
  const answer = await world.operator(`/v1/accounts/${name}/transactions/${reference}/details`, {
    method: 'DELETE',
  });
  assert.equal(answer?.status, isRecorded ? 204 : 404, answer?.text);
  if (!isRecorded) return;
  const { body } = await world.readOk(name, `/v1/transactions/${reference}`);
  const removedAtMs = Date.parse(body.detailsRemovedAt);
  if (account.rows.get(reference)?.details !== null) assert.ok(removedAtMs >= atLeastMs);
  account.removeDetails(reference, removedAtMs);
}

/** Records under an Idempotency-Key, which was used before or not. */
export async function post(world: World, name: string, random: Random): Promise<void> {
  const account = world.account(name);
  const key = `key-${random.integer(1, KEYS)}`;
  const first = account.idempotencyKeys.get(key);
  if (first?.status === 'pending' && random.chance(0.4))
    await putOne(world, name, finalVersion(random, first), random);
  const transaction = first === undefined ? randomTransaction(random, '') : first;
  const given = first !== undefined && random.chance(0.4) ? withOneDifference(random, first) : transaction;
  await postOnce(world, name, { key, transaction: given, random });
}

interface PostedOnce {
  key: string;
  transaction: Transaction;
  random: Random;
}

export async function postOnce(
  world: World,
  name: string,
  { key, transaction, random }: PostedOnce,
): Promise<void> {
  const account = world.account(name);
  const first = account.idempotencyKeys.get(key);
  const answer = await world.operator(`/v1/accounts/${name}/transactions`, {
    method: 'POST',
    body: bodyOf(transaction),
    headers: { 'idempotency-key': key },
  });
  assert.ok(answer !== undefined);
  const isArchived = first !== undefined && !account.rows.has(first.reference);
  // Nothing is left of the details of an archived transaction.
  const differences =
    first === undefined
      ? []
      : differencesOf(first, transaction).filter(({ field }) => !isArchived || !field.startsWith('details.'));
  if (first !== undefined && (!isArchived || differences.length > 0)) {
    if (differences.length > 0) {
      assert.equal(answer.status, 409, answer.text);
      assert.equal(answer.body.code, 'idempotency_key_reused');
      // What an archive removed can't be compared.
      assert.deepEqual(sorted(answer.body.differences ?? []), isArchived ? [] : sorted(differences));
    } else {
      assert.equal(answer.status, 201, answer.text);
      const [change] = account.changesOf(first.reference);
      assert.deepEqual(answer.body, change && shownOf(change.transaction));
      assert.equal(answer.headers['idempotency-replayed'], 'true');
      assertOutcome(answer, 'unchanged', account, first);
    }
    assert.deepEqual(await world.settle(name, [], random), []);
    return;
  }
  if (account.isRefused(transaction, world.now())) {
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(await world.settle(name, [], random), []);
    return;
  }
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers['idempotency-replayed'], undefined);
  const { reference, ...shown } = answer.body;
  assert.deepEqual(shown, bodyOf(transaction));
  assert.ok(!account.rows.has(reference), `${reference} was used before`);
  // A body can't say that details were removed, as they were in an account that was erased.
  const recorded = { ...transaction, reference, detailsRemovedAtMs: null };
  assert.deepEqual(await world.settle(name, [{ account: name, transaction: recorded }], random), [recorded]);
  assertOutcome(answer, 'recorded', account, recorded);
  account.idempotencyKeys.set(key, recorded);
}

/** The outcomes of transactions that are sent one after the other. The model is not changed. */
function foresee(world: World, sent: readonly SentTransaction[], nowMs: number) {
  const trial = new Map<string, ModelAccount>();
  return sent.map(({ account: name, transaction }) => {
    const account = trial.get(name) ?? world.account(name).clone();
    trial.set(name, account);
    const decision = account.decide(transaction, nowMs);
    if (decision.outcome === 'recorded' || decision.outcome === 'changed')
      account.rows.set(
        transaction.reference,
        afterRemoval(transaction, account.rows.get(transaction.reference)),
      );
    return decision;
  });
}

const someTransactions = (world: World, names: readonly string[], random: Random, most: number) =>
  Array.from({ length: random.integer(1, most) }, (): SentTransaction => {
    const account = random.pick(names);
    return { account, transaction: anyTransaction(account, world.account(account), random) };
  });

const isMade = ({ outcome }: { outcome: string }) => outcome === 'recorded' || outcome === 'changed';

export async function batch(world: World, names: readonly string[], random: Random): Promise<void> {
  const sent = someTransactions(world, names, random, 25);
  const decisions = foresee(world, sent, world.now());
  // Only files say when details were removed.
  const lines = sent.map(({ account, transaction }) =>
    JSON.stringify({ account, ...shownOf(transaction), detailsRemovedAt: undefined }),
  );
  const answer = await world.operator('/v1/batch', {
    method: 'POST',
    text: `${lines.join('\n')}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  });
  assert.equal(answer?.status, 200, answer?.text);
  const results = answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  world.note(`outcomes: ${results.map(({ outcome }) => outcome).join(' ')}`);
  assert.deepEqual(
    results.map(({ line, outcome }) => [line, outcome]),
    decisions.map(({ outcome }, index) => [index + 1, outcome]),
  );
  for (const [index, decision] of decisions.entries())
    if (decision.outcome === 'conflict')
      assert.deepEqual(sorted(results[index].differences), sorted(decision.differences));
  for (const name of names) {
    const added = await world.settle(name, sent, random);
    const made = sent.filter((one, index) => one.account === name && isMade(decisions[index] as never));
    assert.equal(added.length, made.length, 'as many changes as lines that made one');
  }
}

/** A new transaction that is pending in one line of a file, and final in the next one. */
function bothStates(names: readonly string[], random: Random): SentTransaction[] {
  const account = random.pick(names);
  const reference = `${account}.both${random.integer(1, REFERENCES)}`;
  const pending = { ...randomTransaction(random, reference), status: 'pending', paidAtMs: null };
  return [pending, finalVersion(random, pending)].map((transaction) => ({ account, transaction }));
}

const FILE_COLUMNS = [
  ...['account', 'reference', 'merchantReference', 'status', 'amount', 'currencyCode', 'paidAt', 'createdAt'],
  ...['details.last4', 'relatedTo', 'details.a1', 'details.customer', 'detailsRemovedAt'],
];

export const csvOf = (sent: readonly SentTransaction[]): string =>
  [
    FILE_COLUMNS.join(','),
    ...sent.map(({ account, transaction }) => {
      const { details = {}, ...shown } = shownOf(transaction);
      const cells = new Map<string, string | null>(Object.entries({ account, ...shown }));
      for (const [name, text] of Object.entries(details)) cells.set(`details.${name}`, text);
      return FILE_COLUMNS.map((column) => csvCell(cells.get(column) ?? null)).join(',');
    }),
  ]
    .map((line) => `${line}\r\n`)
    .join('');

/** An import records all of its lines, or nothing if one is faulty or contradicts. */
export async function importFile(world: World, names: readonly string[], random: Random): Promise<void> {
  const nowMs = world.deployment.commandNow();
  let sent = someTransactions(world, names, random, 12);
  if (random.chance(0.5)) sent.splice(random.integer(0, sent.length), 0, ...bothStates(names, random));
  if (random.chance(0.7)) {
    // Mostly a file without faults.
    const first = foresee(world, sent, nowMs);
    sent = sent.filter((_, index) => !['conflict', 'invalid'].includes(first[index]?.outcome ?? ''));
    if (sent.length === 0) return;
  }
  const isWhole = foresee(world, sent, nowMs).every(
    ({ outcome }) => outcome !== 'conflict' && outcome !== 'invalid',
  );
  const csv = csvOf(sent);
  const imported = await world.deployment.importCsv(csv);
  world.note(`import\n${csv}\n-> ${imported}`);
  assert.equal(
    imported === true,
    isWhole,
    `the file should ${isWhole ? '' : 'not '}be imported: ${imported}`,
  );
  for (const name of names) {
    const added = await world.settle(name, sent, random);
    if (!isWhole) assert.deepEqual(added, []);
    if (isWhole) for (const one of sent) if (one.account === name) assertImported(world, sent, one);
  }
}

/** What is left of a transaction after all lines of it: the final one, if there is one. */
function assertImported(
  world: World,
  sent: readonly SentTransaction[],
  { account, transaction: { reference } }: SentTransaction,
): void {
  const own = sent.filter((one) => one.account === account && one.transaction.reference === reference);
  const last = own.find(({ transaction }) => transaction.status !== 'pending') ?? own[0];
  const row = world.account(account).rows.get(reference);
  assert.deepEqual(row && shownOf(row), last && shownOf(afterRemoval(last.transaction, row)));
}

export const csvCell = (value: string | null): string =>
  value === null ? '' : /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** Ends the service while it records. What it acknowledged is recorded, and nothing that was not sent. */
export async function killed(world: World, names: readonly string[], random: Random): Promise<void> {
  const { deployment } = world;
  if (deployment.kill === undefined) return;
  for (const name of names) await world.keyOf(name);
  const sent = someTransactions(world, names, random, 40);
  const sending = sent.map(({ account, transaction }) =>
    deployment.sendOperator(`/v1/accounts/${account}/transactions/${transaction.reference}`, {
      method: 'PUT',
      body: bodyOf(transaction),
    }),
  );
  await delay(random.integer(0, 60));
  await deployment.kill();
  const answers = await Promise.all(sending);
  world.note(`killed: ${answers.map((answer) => answer?.status ?? 'lost').join(' ')}`);
  await deployment.restart();
  for (const name of names) await world.settle(name, sent, random);
  for (const [index, { account, transaction }] of sent.entries()) {
    if ((answers[index]?.status ?? 500) >= 300) continue;
    const row = world.account(account).rows.get(transaction.reference);
    const isLater = transaction.status === 'pending' && row?.status !== 'pending';
    assert.deepEqual(
      row &&
        shownOf(
          isLater
            ? { ...row, status: 'pending', paidAtMs: null, details: row.details && transaction.details }
            : row,
        ),
      shownOf(afterRemoval(transaction, row)),
      'an acknowledged transaction',
    );
  }
}
