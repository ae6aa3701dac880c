import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from './slots.ts';

test('every value that was added and not removed is iterated once', () => {
  const slots = new Slots<{ name: string }>();
  const names = () => [...slots].map(({ name }) => name).sort();
  const first = slots.add({ name: 'first' });
  const second = slots.add({ name: 'second' });
  assert.deepEqual(names(), ['first', 'second']);
  slots.remove(first);
  assert.deepEqual(names(), ['second']);
  const third = slots.add({ name: 'third' });
  const fourth = slots.add({ name: 'fourth' });
  assert.deepEqual(names(), ['fourth', 'second', 'third']);
  for (const slot of [second, third, fourth]) slots.remove(slot);
  assert.deepEqual(names(), []);
});

test('a free slot is used again', () => {
  const slots = new Slots<{ count: number }>();
  const used = new Set<number>();
  for (let count = 0; count < 1000; count++) {
    const slot = slots.add({ count });
    used.add(slot);
    slots.remove(slot);
  }
  assert.equal(used.size, 1);
});

test('values can be removed while they are iterated', () => {
  const slots = new Slots<{ slot: number }>();
  const values = Array.from({ length: 10 }, () => ({ slot: -1 }));
  for (const value of values) value.slot = slots.add(value);
  let iterated = 0;
  for (const { slot } of slots) {
    slots.remove(slot);
    iterated++;
  }
  assert.equal(iterated, 10);
  assert.deepEqual([...slots], []);
});
