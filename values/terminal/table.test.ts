import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { growingTable, table } from './table.ts';

const columnsOf = (...titles: string[]) =>
  titles.map((title, at) => ({ title, text: (cells: readonly string[]) => cells[at] ?? '' }));
const columns = columnsOf('ID', 'LONGER TITLE', 'LABEL');
const cell = fc.stringMatching(/^[a-z0-9._-]{1,90}$/);
const row = fc.tuple(cell, cell, cell);

const cellsOf = (lines: readonly string[], isTable: boolean): string[] =>
  isTable
    ? lines.flatMap((line) => line.split(/ {2,}/))
    : lines
        .join('\n')
        .split('\n\n')
        .filter((block) => block.trim() !== '')
        .flatMap((block) =>
          block
            .trimStart()
            .replaceAll(/\n {2,}/g, '')
            .split('\n')
            .map((line) => line.replace(/^[A-Z ]+ {2,}/, '')),
        );

test('no line of a table is wider than the terminal, and every cell is whole', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 40, max: 300 }),
      (rows, width) => {
        const lines = table(columns, rows, width);
        assert.ok(lines.every((line) => line.length <= width));
        const isTable = lines[0]?.includes('LONGER TITLE') === true && lines[0].includes('LABEL');
        const cells = cellsOf(isTable ? lines.slice(1) : lines, isTable);
        assert.deepEqual(cells, rows.flat());
      },
    ),
  );
});

test('a table that fits is a table, and one that is a character wider is not', () => {
  const [head = '', line = ''] = table(columnsOf('A', 'B'), [['one', 'two']], 8);
  assert.deepEqual([head, line], ['A    B', 'one  two']);
  assert.deepEqual(table(columnsOf('A', 'B'), [['one', 'two!']], 8), ['A  one', 'B  two!', '']);
});

test('a page that no longer fits is shown row by row, and so are the pages after it', () => {
  const { lines } = growingTable([{ title: 'A', text: (text: string) => text }], 10);
  assert.deepEqual(lines(['one']), ['A', 'one']);
  assert.deepEqual(lines(['0123456789a']), ['', 'A  0123456', '   789a', '']);
  assert.deepEqual(lines(['one']), ['A  one', '']);
});
