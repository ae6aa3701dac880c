import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longRunDocument, longRunTable, type Row } from './long-run-table.ts';

const row = (promise: string, howMuch: string): Row => ({
  promise,
  howMuch,
  broken: '0',
  measured: '2026-03-01, abc1234',
});

const options = { promises: ['walks lose nothing', 'kills lose nothing'], machine: 'a machine' };
const rowsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('| '));

test('a row stays until its promise is checked again', () => {
  const first = longRunDocument('', [row('walks lose nothing', '10 walks')], options);
  const second = longRunDocument(first, [row('kills lose nothing', '5 kills')], options);
  const third = longRunDocument(second, [row('walks lose nothing', '20 walks')], options);
  assert.deepEqual(rowsIn(third), [
    '| promise | checked by | broken | measured |',
    '| walks lose nothing | 20 walks | 0 | 2026-03-01, abc1234 |',
    '| kills lose nothing | 5 kills | 0 | 2026-03-01, abc1234 |',
  ]);
});

test('a promise that no longer exists is removed', () => {
  const earlier = longRunDocument('', [row('walks lose nothing', '10 walks')], options);
  const later = longRunDocument(earlier, [], { ...options, promises: ['kills lose nothing'] });
  assert.deepEqual(rowsIn(later), ['| promise | checked by | broken | measured |']);
});

test('the text of a part does not break its row', () => {
  const table = longRunTable([{ ...row('walks', 'a | b\r\nc'), broken: 'one | two' }]);
  assert.equal(rowsIn(table).at(-1), '| walks | a \\| b c | one \\| two | 2026-03-01, abc1234 |');
});
