import assert from 'node:assert/strict';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { bodyOf } from '../model/transactions.ts';
import type { KnownTransaction, KnownTransactions } from '../rig/data/known-transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { laterVersion, randomTransaction } from './random-transactions.ts';
import type { SimulatedResponse, Simulation } from './simulation.ts';

/** Records new transactions, some of them twice, completes known ones and contradicts them. */
export async function runRecorder(
  simulation: Simulation,
  random: Random,
  name: string,
  actions: number,
): Promise<void> {
  for (let count = 0; count < actions; count++) {
    const known = random.pick(simulation.accounts);
    const action = random.integer(0, 9);
    const named = known.rows.filter(({ fields }) => fields.reference !== '');
    if (action <= 2) await recordBatch(simulation, random, known, `${name}-${count}`);
    else if (action <= 4 || named.length === 0)
      await recordOnce(simulation, random, known, `${name}-${count}`);
    else if (action <= 6)
      await put(simulation, known, randomTransaction(random, `${known.account}.${name}-${count}`));
    else if (action === 7) await putTwice(simulation, random, known, `${known.account}.${name}-${count}`);
    else if (action === 8) await contradict(simulation, random, known, random.pick(named));
    else await put(simulation, known, laterVersion(random, random.pick(named)));
    await simulation.time.delay(random.integer(0, 4) * 100);
  }
}

/** Records the last transaction of the list, and after its acknowledgement the first: a walk that shows the first must show the last. */
export async function recordBothEnds(
  simulation: Simulation,
  random: Random,
  account: string,
  name: string,
): Promise<void> {
  const known = simulation.knownOf(account);
  const [oldest, newest] = ['2026-03-01T00:00:00.000Z', '2026-04-01T23:59:59.999Z'].map((at, index) => ({
    ...randomTransaction(random, `${account}.${name}-${index}`),
    status: 'pending',
    paidAtMs: null,
    createdAtMs: Date.parse(at),
  })) as [Transaction, Transaction];
  if ((await put(simulation, known, oldest))?.status !== 201) return;
  await put(simulation, known, newest);
}

/** After the faults, a recording succeeds at the first attempt. */
export async function recordAfterFaults(
  simulation: Simulation,
  random: Random,
  account: string,
): Promise<SimulatedResponse> {
  const transaction = randomTransaction(random, `${account}.last`);
  const response = await put(simulation, simulation.knownOf(account), transaction);
  assert.ok(response?.status === 201, 'a recording failed after the faults');
  return response;
}

async function put(
  simulation: Simulation,
  known: KnownTransactions,
  transaction: Transaction,
): Promise<SimulatedResponse | undefined> {
  const { account } = known;
  const row = known.noteSent({ ...transaction, account }, simulation.moment());
  const response = await simulation.send({
    to: 'operator',
    method: 'PUT',
    url: `/v1/accounts/${account}/transactions/${transaction.reference}`,
    key: simulation.operatorKey,
    body: bodyOf(transaction),
  });
  if (response === undefined || response.status === 503) return response;
  const outcome = { 201: 'recorded', 200: 'unchanged', 409: 'conflict' }[response.status];
  assert.ok(outcome !== undefined, `a recording got ${response.status}: ${response.text}`);
  noteOutcome(known, row, transaction, outcome, response);
  if (response.status < 300)
    assert.deepEqual(response.body, { reference: transaction.reference, ...bodyOf(transaction) });
  return response;
}

/** Sends the same recording twice at once: only one of them records it. */
async function putTwice(
  simulation: Simulation,
  random: Random,
  known: KnownTransactions,
  reference: string,
): Promise<void> {
  const transaction = randomTransaction(random, reference);
  const [one, other] = await Promise.all([
    put(simulation, known, transaction),
    put(simulation, known, transaction),
  ]);
  assert.ok(one?.status !== 201 || other?.status !== 201, `${reference} was recorded twice`);
}

/** Checks that an outcome is possible, and notes the state that it shows. */
function noteOutcome(
  known: KnownTransactions,
  row: KnownTransaction,
  transaction: Transaction,
  outcome: string,
  response: SimulatedResponse,
): void {
  const { reference } = row.fields;
  const possible = known.possibleStates(row, response.startedAt, response.endedAt);
  if (outcome === 'recorded') {
    assert.ok(possible.includes(null), `${reference} was recorded twice`);
    known.noteRecorded(row, transaction.status, response.endedAt);
  } else if (outcome === 'conflict') {
    // The transaction differs from the recorded one in its status alone: only a completed one contradicts it.
    assert.equal(transaction.status, 'pending', `${reference} was refused: ${response.text}`);
    known.noteRecorded(row, 'completed', response.endedAt);
  } else {
    assert.ok(
      possible.some((state) => state !== null),
      `${reference} can't be recorded yet`,
    );
    assert.ok(
      transaction.status === 'completed' || possible.some((state) => state?.status === 'pending'),
      `${reference} is completed, and was recorded as pending`,
    );
    known.noteRecorded(row, transaction.status, response.endedAt);
  }
}

/** Records a known transaction with another amount, which must be refused. */
async function contradict(
  simulation: Simulation,
  random: Random,
  known: KnownTransactions,
  row: KnownTransaction,
): Promise<void> {
  const { account } = known;
  if (known.possibleStates(row, simulation.moment(), simulation.moment()).includes(null)) return;
  const transaction = { ...laterVersion(random, row), amountMinor: row.fields.amountMinor + 1 };
  const response = await simulation.send({
    to: 'operator',
    method: 'PUT',
    url: `/v1/accounts/${account}/transactions/${transaction.reference}`,
    key: simulation.operatorKey,
    body: bodyOf(transaction),
  });
  if (response === undefined || response.status === 503) return;
  assert.equal(response.status, 409, `${transaction.reference} was recorded with another amount`);
  assert.ok(
    response.body.differences.some(({ field }: { field: string }) => field === 'amount'),
    'the response does not name the difference',
  );
}

/** Records under an idempotency key, and repeats the request until it succeeds, at times once more. */
async function recordOnce(
  simulation: Simulation,
  random: Random,
  known: KnownTransactions,
  name: string,
): Promise<void> {
  const { account } = known;
  const transaction = { ...randomTransaction(random, ''), merchantReference: `once ${account} ${name}` };
  const row = known.noteSent({ ...transaction, account }, simulation.moment());
  let repeats = random.integer(0, 1);
  for (let tries = 0; tries < 6; tries++) {
    const response = await simulation.send({
      to: 'operator',
      method: 'POST',
      url: `/v1/accounts/${account}/transactions`,
      key: simulation.operatorKey,
      body: bodyOf(transaction),
      headers: { 'idempotency-key': name },
    });
    if (response === undefined || response.status === 503) {
      await simulation.time.delay(random.integer(1, 10) * 100);
      continue;
    }
    assert.equal(response.status, 201, response.text);
    const { reference, ...shown } = response.body;
    assert.match(reference, /^tx_/);
    assert.deepEqual(shown, bodyOf(transaction));
    known.noteRecorded(row, transaction.status, response.endedAt, reference);
    if (repeats-- === 0) return;
  }
}

/** Records a batch, at times with one line twice. */
export async function recordBatch(
  simulation: Simulation,
  random: Random,
  known: KnownTransactions,
  name: string,
): Promise<void> {
  const { account } = known;
  const batch = Array.from({ length: random.integer(3, 14) }, (_, index) =>
    randomTransaction(random, `${account}.${name}-${index}`),
  );
  if (random.chance(0.5)) batch.push(random.pick(batch));
  const rows = batch.map((transaction) => known.noteSent({ ...transaction, account }, simulation.moment()));
  const response = await simulation.send({
    to: 'operator',
    method: 'POST',
    url: '/v1/batch',
    key: simulation.operatorKey,
    text: batch
      .map((transaction) =>
        JSON.stringify({ account, reference: transaction.reference, ...bodyOf(transaction) }),
      )
      .join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
    // One for the key, one for the key again when the lines arrive, one for the group, and one for the repeated line, which is recorded after it.
    deadlines: 4,
  });
  if (response === undefined || response.status === 503) return;
  assert.equal(response.status, 200);
  const results = response.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    results.map(({ line }) => line),
    batch.map((_, index) => index + 1),
    'the results are not those of the lines, in their order',
  );
  for (const [index, { outcome }] of results.entries()) {
    if (outcome !== 'unavailable')
      noteOutcome(known, rows[index] as KnownTransaction, batch[index] as Transaction, outcome, response);
  }
}
