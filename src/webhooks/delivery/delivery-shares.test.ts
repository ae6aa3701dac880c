import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DeliveryRig, OK } from '../../../test/rig/webhooks/deliveries.ts';
import type { SendResult } from '../send.ts';
import { WINDOW } from './delivery-state.ts';

const SLOW_MS = 1500;
const CHANGES = 40;
const ALONE_MS = (SLOW_MS * CHANGES) / WINDOW;
const HOG_MS = 14_000;

const after = (milliseconds: number) =>
  new Promise<SendResult>((resolve) => setTimeout(() => resolve(OK), milliseconds));

async function rigWithHogs(t: TestContext, accounts: number) {
  const rig = new DeliveryRig(t);
  rig.receiver = ({ url }) => (url === 'hog' ? after(HOG_MS) : after(SLOW_MS));
  for (let account = 0; account < accounts; account++) {
    for (let endpoint = 0; endpoint < 20; endpoint++)
      rig.create({ id: `we_hog_${account}_${endpoint}`, account: `hog-${account}`, url: 'hog' });
    rig.record(`hog-${account}`, 1000);
  }
  rig.create({ id: 'we_slow', account: 'shop', url: 'slow' });
  const deliveries = await rig.start();
  return { rig, deliveries };
}

async function timeOfAll(rig: DeliveryRig): Promise<number> {
  const beganAtMs = rig.elapsedMs;
  rig.record('shop', CHANGES);
  await rig.settle();
  const last = () => rig.received.filter(({ url }) => url === 'slow');
  while (last().length < CHANGES) await rig.pass(100, 100);
  return (last().at(-1)?.atMs ?? 0) + SLOW_MS - beganAtMs;
}

for (const accounts of [0, 1, 2, 4]) {
  for (const [when, waitMs] of [
    ['first', 0],
    ['known', 60_000],
  ] as const) {
    test(`a receiver that takes 1.5 s is not delayed by ${accounts} accounts with 20 receivers that take 14 s (${when})`, async (t) => {
      const { rig } = await rigWithHogs(t, accounts);
      await rig.pass(waitMs, 1000);
      const tookMs = await timeOfAll(rig);
      assert.ok(tookMs <= 1.5 * ALONE_MS, `${tookMs} ms in place of ${ALONE_MS} ms`);
    });
  }
}

test('an account alone has as many attempts in flight as its endpoints want', async (t) => {
  const { rig, deliveries } = await rigWithHogs(t, 1);
  await rig.pass(60_000, 1000);
  const { inFlight } = deliveries.status;
  // An account alone can hold half of the 256 shared slots.
  assert.ok(inFlight >= 128, `${inFlight} in flight`);
});

test('accounts share scarce slots, however many endpoints each has', async (t) => {
  const rig = new DeliveryRig(t);
  rig.receiver = () => after(HOG_MS);
  const endpoints = { many: 20, some: 10, few: 5 };
  for (const [account, count] of Object.entries(endpoints)) {
    for (let endpoint = 0; endpoint < count; endpoint++)
      rig.create({ id: `we_${account}_${endpoint}`, account, url: account });
    rig.record(account, 1000);
  }
  await rig.start();
  await rig.pass(60_000, 1000);
  const beganAtMs = rig.elapsedMs;
  await rig.pass(20 * HOG_MS, 1000);
  const countOf = (account: string) =>
    rig.received.filter(({ url, atMs }) => url === account && atMs > beganAtMs).length;
  const [many, some, few] = [countOf('many'), countOf('some'), countOf('few')];
  assert.ok(many <= 2 * few, `${many}, ${some} and ${few} attempts`);
});
