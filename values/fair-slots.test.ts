import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairSlots } from './fair-slots.ts';
import { Unavailable } from './unavailable.ts';

function fill(slots: FairSlots, account: string): number {
  while (slots.hasRoomFor(account)) slots.take(account);
  return slots.heldBy(account);
}

test('a single account gets half of the slots, and each further account half of the rest', () => {
  const slots = new FairSlots(16);
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((account) => fill(slots, account)),
    [8, 4, 2, 1, 1, 0],
  );
});

for (const accounts of [1, 2, 3, 7]) {
  test(`${accounts} accounts that always want more get the same, and leave as much for another one`, () => {
    const slots = new FairSlots(512);
    const names = Array.from({ length: accounts }, (_, index) => `a${index}`);
    fill(slots, 'a0');
    for (let turn = 0; turn < 2000; turn++) {
      const [most = ''] = names.toSorted((left, right) => slots.heldBy(right) - slots.heldBy(left));
      slots.giveBack(most);
      for (const name of names) if (slots.hasRoomFor(name)) slots.take(name);
    }
    const share = 512 / (accounts + 1);
    for (const name of names) assert.ok(Math.abs(slots.heldBy(name) - share) <= 2, `${slots.heldBy(name)}`);
    assert.ok(512 - slots.taken >= share - accounts - 1);
  });
}

test('an account with as many slots as it may have is refused, until it gives one back', () => {
  const refusal = () => new Error('too many');
  const slots = new FairSlots(16, { most: 2, refusal });
  for (let count = 0; count < 2; count++) slots.takeFree('a', 'tests_limit');
  assert.throws(() => slots.takeFree('a', 'tests_limit'), /too many/);
  slots.takeFree('b', 'tests_limit');
  slots.giveBack('a');
  slots.takeFree('a', 'tests_limit');
});

test('a slot is given back however the work ends', async () => {
  const slots = new FairSlots(2);
  const work = Promise.withResolvers<string>();
  const running = slots.run('a', 'totals_limit', () => work.promise);
  await assert.rejects(
    slots.run('a', 'totals_limit', async () => 'more'),
    (error) => error instanceof Unavailable && error.reason === 'totals_limit',
  );
  assert.equal(slots.taken, 1);
  work.resolve('done');
  assert.equal(await running, 'done');
  await assert.rejects(
    slots.run('a', 'totals_limit', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  const thrown = () => {
    throw new Error('thrown');
  };
  await assert.rejects(slots.run('a', 'totals_limit', thrown), /thrown/);
  assert.deepEqual([slots.taken, slots.heldBy('a')], [0, 0]);
});
