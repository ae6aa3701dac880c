import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withFigures } from '../../bench/rig/document.ts';

const DOCUMENT = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');

const finding = (name: string, figure: string) => ({ name, figure, goal: '' });

test('each row that the benchmarks write is in docs/performance.md, and without findings it stays', () => {
  assert.deepEqual(withFigures(DOCUMENT, []), { document: DOCUMENT, changed: [] });
  const other = DOCUMENT.replace('| rate of a stream, to that of an import', '| rate of streams');
  assert.throws(() => withFigures(other, []), /no row of "rate of a stream, to that of an import"/);
});

test('a figure replaces that of its store alone, and a cell of two figures needs both', () => {
  const row = (...cells: string[]) => `|${cells.map((cell) => ` ${cell} `.replace(/^ +$/, ' ')).join('|')}|`;
  const old = [row('rate*', '1', '2.0 (1.0 to 3.0)', ''), row('MB; ms', '', '5; 6', '7; 8')];
  const rate = 'the rate of a store';
  const sizes = ['size, MB', 'time, ms'];
  const { document, changed } = withFigures(
    old.join('\n'),
    [
      finding(`SQLite: ${rate}`, '4.0 (3.0 to 5.0)'),
      finding('SQLite: size, MB', '9'),
      finding('PostgreSQL: size, MB', '10'),
      finding('PostgreSQL: time, ms', '11'),
    ],
    [
      ['rate', [rate], [rate]],
      ['MB; ms', sizes, sizes],
    ],
  );
  assert.deepEqual(changed, [row('rate', '1', '4.0 (3.0 to 5.0)', ''), row('MB; ms', '', '5; 6', '10; 11')]);
  assert.equal(document, changed.join('\n'));
});
