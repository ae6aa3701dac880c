import assert from 'node:assert/strict';
import type { WebhookEndpoint } from '../../src/webhooks/webhook.ts';
import { Random } from '../rig/run/random.ts';
import { ACCOUNTS, DeliverySimulation } from './delivery-simulation.ts';
import type { Receiver } from './receiver.ts';
import type { Outcome } from './simulate.ts';
import { BAD_CONDITIONS, GOOD_CONDITIONS } from './unreliable-store.ts';

const JUMPS_MS = [1, 60, 3600, 86_400, 90 * 86_400].map((seconds) => seconds * 1000);
/** So soon after the faults, everything arrives that does not wait for its schedule: the longest wait is that of a probe. */
const ARRIVES_WITHIN_MS = 100_000;
const LONGEST_STALL_MS = 12_000;
const ACTIONS = 12;

/** Runs deliveries through a history that the seed decides, and checks what receivers get and what is stored. */
export async function simulateDeliveries(seed: number): Promise<Omit<Outcome, 'responses'>> {
  const random = new Random(seed);
  const simulation = new DeliverySimulation(random);
  let violation: Error | undefined;
  try {
    if (random.chance(0.25)) await runCalmHistory(simulation, random);
    else await runFaultyHistory(simulation, random);
  } catch (error) {
    violation = error as Error;
    simulation.log(`VIOLATION: ${violation.message}`);
  } finally {
    for (const instance of simulation.instances) instance.isAlive = false;
    await simulation.time.end();
  }
  return { seed, history: simulation.history, violation };
}

/** Instances come, go and share the endpoints: each change is delivered once, and soon. */
async function runCalmHistory(simulation: DeliverySimulation, random: Random): Promise<void> {
  simulation.start();
  for (let count = 0; count < ACTIONS; count++) {
    await simulation.pass(random.integer(1, 20) * 100);
    const action = random.integer(0, 9);
    if (action <= 6) simulation.record(random.pick(ACCOUNTS));
    else if (simulation.instances.length < 3) simulation.start();
    else await simulation.pass(3000);
  }
  await passUntilArrived(simulation, ARRIVES_WITHIN_MS);
  checkArrived(simulation);
  for (const { accepted, endpoint } of simulation.receivers)
    for (const [sequence, times] of accepted)
      assert.equal(times, 1, `${endpoint.id}: ${sequence} was delivered ${times} times without a fault`);
}

/** Lets time pass until everything is delivered, at most for some time. */
async function passUntilArrived(simulation: DeliverySimulation, atMostMs: number): Promise<void> {
  const untilMs = simulation.time.elapsedMs + atMostMs;
  while (simulation.time.elapsedMs < untilMs && findMissing(simulation) !== undefined)
    await simulation.pass(1000);
}

function checkArrived(simulation: DeliverySimulation): void {
  assert.equal(findMissing(simulation), undefined);
}

/** What is not as it must be when everything is delivered. */
function findMissing({ receivers, webhooks, model }: DeliverySimulation): string | undefined {
  for (const receiver of receivers) {
    const { account, id } = receiver.endpoint;
    const stored = webhooks.findWebhook(account, id);
    const headSequence = model.changes.get(account)?.length ?? 0;
    if (stored?.acknowledgedSequence !== headSequence)
      return `${id} is at ${stored?.acknowledgedSequence} of ${headSequence}`;
    if (stored.failureCount > 0) return `${id} has ${stored.failureCount} failures`;
    const lost = receiver.wanted(0).find((sequence) => !receiver.accepted.has(sequence));
    if (lost !== undefined) return `${id}: ${lost} was not delivered`;
  }
  return undefined;
}

async function runFaultyHistory(simulation: DeliverySimulation, random: Random): Promise<void> {
  for (let count = random.integer(1, 3); count > 0; count--) simulation.start();
  Object.assign(simulation.conditions, random.chance(0.5) ? BAD_CONDITIONS : GOOD_CONDITIONS);
  const ending: Promise<void>[] = [];
  for (let count = 0; count < ACTIONS; count++) {
    await simulation.pass(random.integer(1, 40) * 100);
    const action = random.integer(0, 13);
    if (action <= 3) simulation.record(random.pick(ACCOUNTS));
    else if (action <= 7) changeReceiver(simulation, random);
    else if (action === 8)
      Object.assign(simulation.conditions, random.chance(0.6) ? BAD_CONDITIONS : GOOD_CONDITIONS);
    else if (action === 9)
      simulation.conditions.stalledUntilMs =
        simulation.time.elapsedMs + random.integer(1, LONGEST_STALL_MS / 100) * 100;
    else if (action === 10) simulation.wallClock.jump(random.pick(JUMPS_MS) * random.pick([-1, 1]));
    else if (action === 11) {
      ending.push(simulation.end(random.pick(simulation.instances), random.chance(0.6)));
      simulation.start();
    } else manage(simulation, random);
  }
  Object.assign(simulation.conditions, { lost: 0, failing: 0, slow: 0, stalledUntilMs: 0 });
  for (const receiver of simulation.receivers) {
    receiver.conditions = 'working';
    receiver.isGone = false;
    receiver.refused.clear();
    change(simulation, receiver, { disabled: null });
  }
  simulation.log('the faults are over');
  // A write of progress that was stalled takes effect late, and keeps a failure that was delivered meanwhile.
  await simulation.pass(LONGEST_STALL_MS + 1000);
  // What failed while its receiver worked waits for its schedule: its owner retries it.
  await passUntilArrived(simulation, ARRIVES_WITHIN_MS / 2);
  for (const { endpoint } of simulation.receivers)
    for (const { sequence } of simulation.webhooks.listWebhookFailures(endpoint.account, endpoint.id, 0, 1e6))
      simulation.webhooks.retryWebhookFailure(
        endpoint.account,
        endpoint.id,
        sequence,
        simulation.wallClock.now(),
      );
  await passUntilArrived(simulation, ARRIVES_WITHIN_MS / 2);
  let isEnded = false;
  void Promise.all(ending).then(() => {
    isEnded = true;
  });
  for (let count = 0; count < 20 && !isEnded; count++) await simulation.pass(1000);
  assert.ok(isEnded, 'an instance did not stop');
  checkArrived(simulation);
}

function changeReceiver(simulation: DeliverySimulation, random: Random): void {
  const receiver = random.pick(simulation.receivers);
  receiver.conditions = random.pick(['working', 'unreliable', 'unreliable', 'down', 'hanging']);
  receiver.isGone = random.chance(0.1);
  const next = (simulation.model.changes.get(receiver.endpoint.account)?.length ?? 0) + 1;
  if (random.chance(0.3))
    for (let count = random.integer(1, 12); count > 0; count--) receiver.refused.add(next + count);
  simulation.log(`${receiver.endpoint.id} is ${receiver.isGone ? 'gone' : receiver.conditions}`);
}

/** The owner of an endpoint changes it, sets it back or retries a failure. */
function manage(simulation: DeliverySimulation, random: Random): void {
  const { webhooks, wallClock } = simulation;
  const receiver = random.pick(simulation.receivers);
  const { account, id } = receiver.endpoint;
  const found = webhooks.findWebhook(account, id);
  if (found === undefined) return;
  const action = random.integer(0, 3);
  const [failure] = webhooks.listWebhookFailures(account, id, random.integer(0, 5), 1);
  if (action === 0) change(simulation, receiver, { label: `label ${found.version}`, disabled: null });
  else if (action === 1)
    change(simulation, receiver, { disabled: { reason: 'requested', atMs: wallClock.now() } });
  else if (action === 2 && failure !== undefined)
    webhooks.retryWebhookFailure(account, id, failure.sequence, wallClock.now());
  else {
    const acknowledgedSequence = random.integer(0, found.acknowledgedSequence);
    const { failureCount: _, ...stored } = found;
    const version = stored.version + 1;
    webhooks.replaceWebhook({ ...stored, version, acknowledgedSequence }, 'replay');
    // A replay delivers again: until it is done, the receiver lacks them.
    for (const sequence of [...receiver.accepted.keys()])
      if (sequence > acknowledgedSequence) receiver.accepted.delete(sequence);
    simulation.log(`${id} is replayed after ${acknowledgedSequence}`);
  }
}

function change(
  simulation: DeliverySimulation,
  { endpoint }: Receiver,
  fields: Partial<WebhookEndpoint>,
): void {
  const found = simulation.webhooks.findWebhook(endpoint.account, endpoint.id);
  if (found === undefined) return;
  const { failureCount: _, ...stored } = found;
  simulation.webhooks.replaceWebhook({ ...stored, ...fields, version: stored.version + 1 }, 'change');
  simulation.log(`${endpoint.id} is changed`);
}
