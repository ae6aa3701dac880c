import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_STATUSES, declareStatuses } from './status.ts';

function declared(declaration: string): [string, string][] {
  const result = declareStatuses(declaration);
  assert.ok('statuses' in result, JSON.stringify(result));
  return [...result.statuses];
}

function faultsOf(declaration: string): string[] {
  const result = declareStatuses(declaration);
  assert.ok('faults' in result, `${declaration} was accepted`);
  return result.faults;
}

test('declared statuses follow the built-in ones, each with its rule', () => {
  const builtIn = [...BUILT_IN_STATUSES];
  assert.deepEqual(declared('failed:unpaid'), [...builtIn, ['failed', 'unpaid']]);
  assert.deepEqual(declared('failed:unpaid, refunded:paid'), [
    ...builtIn,
    ['failed', 'unpaid'],
    ['refunded', 'paid'],
  ]);
  const longest = `a${'_9'.repeat(15)}z`;
  assert.deepEqual(declared(`${longest}:paid`).at(-1), [longest, 'paid']);
});

test('30 statuses can be declared beside the built-in ones, and no more', () => {
  const declaration = (count: number) =>
    Array.from({ length: count }, (_, index) => `status_${index}:paid`).join();
  assert.equal(declared(declaration(30)).length, 32);
  assert.deepEqual(faultsOf(declaration(31)), ['it declares 31 statuses: at most 30 are possible']);
});

test('a status name of another form is refused', () => {
  const form = 'is not a status name (a lower-case letter, then up to 31 of a-z, 0-9 and _)';
  for (const name of ['', 'Failed', '9lives', '_x', 'on-hold', 'on hold', 'é', 'a'.repeat(33)])
    assert.deepEqual(faultsOf(`${name}:paid`), [`${JSON.stringify(name)} ${form}`]);
  assert.deepEqual(faultsOf('failed:unpaid,'), [`"" ${form}`]);
});

test('a status name that exists already is refused', () => {
  assert.deepEqual(faultsOf('pending:paid'), ['"pending" is built in']);
  assert.deepEqual(faultsOf('completed:paid'), ['"completed" is built in']);
  assert.deepEqual(faultsOf('failed:unpaid,failed:paid'), ['"failed" is declared twice']);
});

test('an entry without exactly one known rule is refused', () => {
  for (const entry of [
    'failed',
    'failed:',
    'failed:no',
    'failed:PAID',
    'failed: paid',
    'failed:paid:unpaid',
    'failed:paid:',
  ])
    assert.deepEqual(faultsOf(entry), ['"failed" must be followed by ":paid" or ":unpaid"'], entry);
});
