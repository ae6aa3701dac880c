import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, write } from './storage.ts';

test('a value that could not be stored is remembered, until another one is stored', () => {
  const stored = new Map<string, string>();
  let isFull = true;
  const storage = () =>
    ({
      getItem: (name: string) => stored.get(name) ?? null,
      setItem(name: string, value: string) {
        if (isFull) throw new Error('QuotaExceededError');
        stored.set(name, value);
      },
    }) as Storage;
  write(storage, 'zone', 'local');
  assert.equal(read(storage, 'zone'), 'local');
  isFull = false;
  write(storage, 'zone', 'utc');
  assert.equal(read(storage, 'zone'), 'utc');
});
