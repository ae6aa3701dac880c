import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryRig } from '../../../test/rig/deliveries.ts';
import { bucketOf, type DeliverableEndpoint, WEBHOOK_BUCKETS } from '../webhook.ts';

const ENDPOINTS = 6400;
/** A slice is of whole buckets, whose sizes differ. */
const MOST_READ = 1200;

test('many endpoints and heads are read in slices, all of them again and again, and those of a changed endpoint first', async (t) => {
  const rig = new DeliveryRig(t);
  const accounts = Array.from({ length: ENDPOINTS }, (_, index) => `shop-${index}`);
  for (const account of accounts) rig.create({ id: `we_${account}`, account });
  let lists: DeliverableEndpoint[][] = [];
  let heads: number[] = [];
  rig.around = async (name, call) => {
    const result = call();
    if (name === 'listDeliverable') lists.push((await result) as DeliverableEndpoint[]);
    if (name === 'readHeads') heads.push(((await result) as ReadonlyMap<string, number>).size);
    return result;
  };
  for (const account of accounts) rig.record(account, 1);
  const deliveries = await rig.start();
  await rig.pass(6000, 100);
  assert.equal(rig.received.length, ENDPOINTS);
  lists = [];
  heads = [];
  await rig.pass(3000, 100);
  assert.ok(Math.max(...lists.map((list) => list.length)) <= MOST_READ);
  assert.equal(new Set(lists.flat().map(({ id }) => id)).size, ENDPOINTS);
  assert.ok(Math.max(...heads) <= MOST_READ && heads.length >= ENDPOINTS / MOST_READ);

  // In the middle of a sweep.
  for (lists = []; lists.length === 0; ) await rig.pass(10, 10);
  lists = [];
  deliveries.noteManaged('shop-7');
  while (lists.length === 0) await rig.pass(10, 10);
  const read = new Set(lists[0]?.map(({ account }) => bucketOf(account)));
  assert.ok(read.has(bucketOf('shop-7')) && read.size < WEBHOOK_BUCKETS);
});
