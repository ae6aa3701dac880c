import assert from 'node:assert/strict';
import type { KnownRow, KnownTransactions } from '../rig/known-transactions.ts';
import type { Random } from '../rig/random.ts';
import { type Fact, later, newFact, written } from './facts.ts';
import type { Answer, World } from './world.ts';

/** Records as the platform in front of the service does: it repeats what was not answered. */
export async function recorder(world: World, random: Random, name: string, deeds: number): Promise<void> {
  for (let count = 0; count < deeds; count++) {
    const facts = random.pick(world.accounts);
    const deed = random.integer(0, 9);
    const open = facts.rows.filter(({ fields }) => fields.reference !== '');
    if (deed <= 2) await recordBatch(world, random, facts, `${name}-${count}`);
    else if (deed <= 4 || open.length === 0) await recordOnce(world, random, facts, `${name}-${count}`);
    else if (deed <= 6) await put(world, facts, newFact(random, `${facts.account}.${name}-${count}`));
    else if (deed === 7) await putTwice(world, random, facts, `${facts.account}.${name}-${count}`);
    else if (deed === 8) await contradict(world, random, facts, random.pick(open));
    else await put(world, facts, later(random, random.pick(open)));
    await world.time.delay(random.integer(0, 4) * 100);
  }
}

/** Records at the end of the list, and once that is acknowledged, at its front: who sees the second must find the first. */
export async function recordBothEnds(
  world: World,
  random: Random,
  account: string,
  name: string,
): Promise<void> {
  const facts = world.factsOf(account);
  const [oldest, newest] = ['2026-03-01T00:00:00.000Z', '2026-04-01T23:59:59.999Z'].map((at, index) => ({
    ...newFact(random, `${account}.${name}-${index}`),
    status: 'pending',
    paidAtMs: null,
    createdAtMs: Date.parse(at),
  })) as [Fact, Fact];
  if ((await put(world, facts, oldest)) !== 201) return;
  await put(world, facts, newest);
}

/** Once the faults are over, a recording is answered at its first try. */
export async function recordAtLast(world: World, random: Random, account: string): Promise<void> {
  const status = await put(world, world.factsOf(account), newFact(random, `${account}.last`));
  assert.equal(status, 201, 'a recording did not work after the faults');
}

async function put(world: World, facts: KnownTransactions, fact: Fact): Promise<number | undefined> {
  const { account } = facts;
  const row = facts.send({ ...fact, account }, world.moment());
  const answer = await world.send({
    to: 'operator',
    method: 'PUT',
    url: `/v1/accounts/${account}/transactions/${fact.reference}`,
    key: world.operatorKey,
    body: written(fact),
  });
  if (answer === undefined || answer.status === 503) return answer?.status;
  const outcome = { 201: 'recorded', 200: 'unchanged', 409: 'conflict' }[answer.status];
  assert.ok(outcome !== undefined, `recording was answered by ${answer.status}: ${answer.text}`);
  learn(facts, row, fact, outcome, answer);
  if (answer.status < 300) assert.deepEqual(answer.body, { reference: fact.reference, ...written(fact) });
  return answer.status;
}

/** The same twice at once: one of them records it. */
async function putTwice(
  world: World,
  random: Random,
  facts: KnownTransactions,
  reference: string,
): Promise<void> {
  const fact = newFact(random, reference);
  const statuses = await Promise.all([put(world, facts, fact), put(world, facts, fact)]);
  assert.ok(statuses[0] !== 201 || statuses[1] !== 201, `${reference} was recorded twice`);
}

/** What an outcome tells, which must be one that is possible. */
function learn(facts: KnownTransactions, row: KnownRow, fact: Fact, outcome: string, answer: Answer): void {
  const { reference } = row.fields;
  const possible = facts.possible(row, answer.startedAt, answer.endedAt);
  if (outcome === 'recorded') {
    assert.ok(possible.includes(null), `${reference} was recorded twice`);
    facts.know(row, fact.status, answer.endedAt);
  } else if (outcome === 'conflict') {
    // The only contradiction in a fact of the row's own is that it is completed already.
    assert.equal(fact.status, 'pending', `${reference} was refused: ${answer.text}`);
    facts.know(row, 'completed', answer.endedAt);
  } else {
    assert.ok(
      possible.some((stage) => stage !== null),
      `${reference} can't be recorded already`,
    );
    assert.ok(
      fact.status === 'completed' || possible.some((stage) => stage?.status === 'pending'),
      `${reference} is completed, and was recorded as pending`,
    );
    facts.know(row, fact.status, answer.endedAt);
  }
}

/** A fact that differs from a known one in what never changes. */
async function contradict(
  world: World,
  random: Random,
  facts: KnownTransactions,
  row: KnownRow,
): Promise<void> {
  const { account } = facts;
  if (facts.possible(row, world.moment(), world.moment()).includes(null)) return;
  const fact = { ...later(random, row), amountMinor: row.fields.amountMinor + 1 };
  const answer = await world.send({
    to: 'operator',
    method: 'PUT',
    url: `/v1/accounts/${account}/transactions/${fact.reference}`,
    key: world.operatorKey,
    body: written(fact),
  });
  if (answer === undefined || answer.status === 503) return;
  assert.equal(answer.status, 409, `${fact.reference} was recorded with another amount`);
  assert.ok(
    answer.body.differences.some(({ field }: { field: string }) => field === 'amount'),
    'the difference is not told',
  );
}

/** Records under an idempotency key, and repeats it until it is answered, and once more. */
async function recordOnce(
  world: World,
  random: Random,
  facts: KnownTransactions,
  name: string,
): Promise<void> {
  const { account } = facts;
  const fact = { ...newFact(random, ''), merchantReference: `once ${account} ${name}` };
  const row = facts.send({ ...fact, account }, world.moment());
  let repeats = random.integer(0, 1);
  for (let tries = 0; tries < 6; tries++) {
    const answer = await world.send({
      to: 'operator',
      method: 'POST',
      url: `/v1/accounts/${account}/transactions`,
      key: world.operatorKey,
      body: written(fact),
      headers: { 'idempotency-key': name },
    });
    if (answer === undefined || answer.status === 503) {
      await world.time.delay(random.integer(1, 10) * 100);
      continue;
    }
    assert.equal(answer.status, 201, answer.text);
    const { reference, ...shown } = answer.body;
    assert.match(reference, /^tx_/);
    assert.deepEqual(shown, written(fact));
    facts.know(row, fact.status, answer.endedAt, reference);
    if (repeats-- === 0) return;
  }
}

/** A stream of some facts, some of them twice. */
export async function recordBatch(
  world: World,
  random: Random,
  facts: KnownTransactions,
  name: string,
): Promise<void> {
  const { account } = facts;
  const batch = Array.from({ length: random.integer(3, 14) }, (_, index) =>
    newFact(random, `${account}.${name}-${index}`),
  );
  if (random.chance(0.5)) batch.push(random.pick(batch));
  const rows = batch.map((fact) => facts.send({ ...fact, account }, world.moment()));
  const answer = await world.send({
    to: 'operator',
    method: 'POST',
    url: '/v1/transactions/batch',
    key: world.operatorKey,
    text: batch
      .map((fact) => JSON.stringify({ account, reference: fact.reference, ...written(fact) }))
      .join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
    // The key is looked up, and the repeated line is a group of its own.
    deadlines: 3,
  });
  if (answer === undefined || answer.status === 503) return;
  assert.equal(answer.status, 200);
  const results = answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    results.map(({ line }) => line),
    batch.map((_, index) => index + 1),
    'not every line has its result, in their order',
  );
  for (const [index, { outcome }] of results.entries()) {
    if (outcome !== 'unavailable')
      learn(facts, rows[index] as KnownRow, batch[index] as Fact, outcome, answer);
  }
}
