import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addRun, longRunDocument, longRunTable, type PartResult, type Row, rowOf } from './long-run-table.ts';

const HEAD = '| promise | checked by, in all runs | seeds | last run | broken | measured |';

const result = (counts: Record<string, number>, broken = '0'): PartResult => ({
  counts,
  seeds: Object.values(counts)[0] ?? 0,
  figures: '9/s',
  broken,
});

function run(
  earlier: Row | undefined,
  promise: string,
  found: PartResult,
  { firstSeed = 1, day = '2026-03-01', commit = 'abc1234' } = {},
): Row {
  return addRun(earlier, { promise, result: found, firstSeed, day, commit });
}

const promises = [
  { promise: 'walks lose nothing', goal: 1000 },
  { promise: 'kills lose nothing', goal: 50 },
];
const options = { promises, machine: 'a machine' };
const rowsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('| '));

test('a row stays until its promise is checked again', () => {
  const walks = run(undefined, 'walks lose nothing', result({ walks: 10 }));
  const first = longRunDocument('', [walks], options);
  const second = longRunDocument(
    first,
    [run(undefined, 'kills lose nothing', result({ kills: 5 }))],
    options,
  );
  assert.deepEqual(rowsIn(second), [
    HEAD,
    '| walks lose nothing | 10 of 1,000 walks | 1 to 10 | 9/s | 0 | 2026-03-01, abc1234 |',
    '| kills lose nothing | 5 of 50 kills | 1 to 5 | 9/s | 0 | 2026-03-01, abc1234 |',
  ]);
});

test('runs add up, with their seeds and days, through the document', () => {
  let document = '';
  const [walks] = promises;
  for (const [day, commit] of [
    ['2026-03-01', 'abc1234'],
    ['2026-03-02', 'def5678'],
  ] as const) {
    const earlier = rowOf(document, walks?.promise ?? '');
    const found = result({ walks: 1200.5, 'pages with "a, b"': 7 });
    const row = run(earlier, walks?.promise ?? '', found, {
      firstSeed: Math.floor(earlier?.seeds?.last ?? 0) + 1,
      day,
      commit,
    });
    document = longRunDocument(document, [row], options);
  }
  assert.deepEqual(rowsIn(document), [
    HEAD,
    '| walks lose nothing | 2,401 of 1,000 walks, 14 pages with "a, b" | 1 to 2,400.5 | 9/s | 0 | 2026-03-01 to 2026-03-02, def5678 |',
  ]);
});

test('a run that breaks the promise counts nothing, so that its seeds run again', () => {
  const passed = run(undefined, 'kills lose nothing', result({ kills: 5 }));
  const broke = run(passed, 'kills lose nothing', result({ kills: 3 }, '1'), { firstSeed: 6 });
  assert.deepEqual([broke.counts, broke.seeds, broke.broken], [{ kills: 5 }, { first: 1, last: 5 }, '1']);
  const again = run(broke, 'kills lose nothing', result({ kills: 3 }), { firstSeed: 6 });
  assert.deepEqual([again.counts, again.seeds, again.broken], [{ kills: 8 }, { first: 1, last: 8 }, '0']);
});

test('a promise that no longer exists is removed', () => {
  const earlier = longRunDocument('', [run(undefined, 'walks lose nothing', result({ walks: 10 }))], options);
  assert.deepEqual(rowsIn(longRunDocument(earlier, [], { ...options, promises: promises.slice(1) })), [HEAD]);
});

test('the text of a part does not break its row', () => {
  const row = { ...run(undefined, 'walks', result({ 'a | b\r\nc': 1 })), broken: 'one | two' };
  assert.equal(
    rowsIn(longRunTable([row], new Map())).at(-1),
    '| walks | 1 a \\| b c | 1 | 9/s | one \\| two | 2026-03-01, abc1234 |',
  );
});
