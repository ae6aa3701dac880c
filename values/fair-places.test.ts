import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairPlaces } from './fair-places.ts';
import { Unavailable } from './unavailable.ts';

function fill(places: FairPlaces, account: string): number {
  while (places.hasRoomFor(account)) places.take(account);
  return places.heldBy(account);
}

test('an account alone gets half of the places, and each further one half of what is left', () => {
  const places = new FairPlaces(16);
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((account) => fill(places, account)),
    [8, 4, 2, 1, 1, 0],
  );
});

for (const accounts of [1, 2, 3, 7]) {
  test(`${accounts} accounts that always want more get the same, and leave as much for another one`, () => {
    const places = new FairPlaces(512);
    const names = Array.from({ length: accounts }, (_, index) => `a${index}`);
    fill(places, 'a0');
    // As places come free: the account with the most gives one back.
    for (let turn = 0; turn < 2000; turn++) {
      const [most = ''] = names.toSorted((left, right) => places.heldBy(right) - places.heldBy(left));
      places.giveBack(most);
      for (const name of names) if (places.hasRoomFor(name)) places.take(name);
    }
    const share = 512 / (accounts + 1);
    for (const name of names) assert.ok(Math.abs(places.heldBy(name) - share) <= 2, `${places.heldBy(name)}`);
    assert.ok(512 - places.taken >= share - accounts - 1);
  });
}

test('a place is given back however the work ends', async () => {
  const places = new FairPlaces(2);
  const work = Promise.withResolvers<string>();
  const running = places.run('a', 'totals_limit', () => work.promise);
  await assert.rejects(
    places.run('a', 'totals_limit', async () => 'more'),
    (error) => error instanceof Unavailable && error.reason === 'totals_limit',
  );
  assert.equal(places.taken, 1);
  work.resolve('done');
  assert.equal(await running, 'done');
  await assert.rejects(
    places.run('a', 'totals_limit', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  const thrown = () => {
    throw new Error('thrown');
  };
  await assert.rejects(places.run('a', 'totals_limit', thrown), /thrown/);
  assert.deepEqual([places.taken, places.heldBy('a')], [0, 0]);
});
