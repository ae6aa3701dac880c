import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SparseMap } from './sparse-map.ts';

test('a sparse map has the entries of a map, whatever is done with both', () => {
  const sparse = new SparseMap<number, string>();
  const map = new Map<number, string>();
  const check = () => {
    assert.deepEqual([...sparse], [...map]);
    assert.deepEqual([...sparse.keys()], [...map.keys()]);
    assert.deepEqual([...sparse.values()], [...map.values()]);
    assert.equal(sparse.size, map.size);
    for (const key of [1, 2, 3]) {
      assert.equal(sparse.get(key), map.get(key));
      assert.equal(sparse.has(key), map.has(key));
    }
  };
  check();
  for (const round of [1, 2]) {
    for (const key of [2, 1, 2]) {
      sparse.set(key, `${key} ${round}`);
      map.set(key, `${key} ${round}`);
      check();
    }
    for (const key of [3, 2, 1, 1]) {
      assert.equal(sparse.delete(key), map.delete(key));
      check();
    }
  }
  sparse.set(1, 'one');
  sparse.clear();
  map.clear();
  check();
});
