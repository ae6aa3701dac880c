import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longRunDocument, longRunTable, type Row } from './long-run-table.ts';

const row = (promise: string, howMuch: string): Row => ({
  promise,
  howMuch,
  broken: '0',
  measured: '2026-03-01, abc1234',
});

const told = { promises: ['walks lose nothing', 'kills lose nothing'], machine: 'a machine' };
const rowsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('| '));

test('a row stands until its promise is checked again', () => {
  const first = longRunDocument('', [row('walks lose nothing', '10 walks')], told);
  const second = longRunDocument(first, [row('kills lose nothing', '5 kills')], told);
  const third = longRunDocument(second, [row('walks lose nothing', '20 walks')], told);
  assert.deepEqual(rowsIn(third), [
    '| promise | checked by | broken | measured |',
    '| walks lose nothing | 20 walks | 0 | 2026-03-01, abc1234 |',
    '| kills lose nothing | 5 kills | 0 | 2026-03-01, abc1234 |',
  ]);
});

test('a promise that is no longer made is left out', () => {
  const earlier = longRunDocument('', [row('walks lose nothing', '10 walks')], told);
  const later = longRunDocument(earlier, [], { ...told, promises: ['kills lose nothing'] });
  assert.deepEqual(rowsIn(later), ['| promise | checked by | broken | measured |']);
});

test('what a part tells does not break its row', () => {
  const table = longRunTable([{ ...row('walks', 'a | b\r\nc'), broken: 'one | two' }]);
  assert.equal(rowsIn(table).at(-1), '| walks | a \\| b c | one \\| two | 2026-03-01, abc1234 |');
});
