import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../test/rig/run/properties.ts';
import { inTier } from '../test/rig/run/tier.ts';
import { guardedCsvCell } from './csv-cell.ts';

const SEPARATORS = [',', ';', '\t', '|', ' '];
const SIGNS = '=+-@＝＋－＠';
const ENDING = ',completed,-12.50,EUR\r\n';

function cellsOf(line: string, separator: string): string[] {
  const quoted: string[] = [''];
  let isQuoted = false;
  for (const [index, character] of [...line].entries()) {
    if (character === '"' && (isQuoted || index === 0 || quoted.at(-1) === '')) isQuoted = !isQuoted;
    else if (!isQuoted && [separator, '\r', '\n'].includes(character)) quoted.push('');
    else quoted[quoted.length - 1] += character;
  }
  const split = line.split(/[\r\n]/).flatMap((one) => one.split(separator));
  return [...quoted, ...split].flatMap((cell) => [cell.trim(), cell.replaceAll('"', '').trim()]);
}

/** A spreadsheet reads a cell with only a sign as text, and -12.50 as a number. So these are not formulas. */
const isFormula = (cell: string) => cell.length > 1 && SIGNS.includes(cell[0] as string) && cell !== '-12.50';

test('no cell is a formula, whatever separator a spreadsheet splits the line at', () => {
  const text = fc.string({ unit: fc.constantFrom(...SIGNS, ...SEPARATORS, '"', "'", '\n', '\r', 'a', '1') });
  fc.assert(
    fc.property(text, (value) => {
      fc.pre(!/^-?\d+$/.test(value));
      for (const line of [`${guardedCsvCell(value)}${ENDING}`, `pay_1,${guardedCsvCell(value)}${ENDING}`]) {
        for (const separator of SEPARATORS)
          for (const cell of cellsOf(line, separator))
            assert.ok(!isFormula(cell), JSON.stringify({ line, cell, separator }));
      }
    }),
    { numRuns: inTier({ short: 300, long: 5000 }) },
  );
});

test('an apostrophe is in front of a sign at the beginning of the text, or after a separator', () => {
  for (const [text, cell] of [
    ['=1+1', "'=1+1"],
    [';=1+1', ";'=1+1"],
    ['a;=1+1', "a;'=1+1"],
    ['a; =1+1', "a; '=1+1"],
    ['a;;@x', "a;;'@x"],
    ['a\t+1', "a\t'+1"],
    ['a|-x', "a|'-x"],
    ['a,=1', `"a,'=1"`],
    ['a\n=1', `"a\n'=1"`],
    ['a;"=1"', `"a;""'=1"""`],
    ['pay =1+1', "pay '=1+1"],
    [' =1', " '=1"],
    ['a;＝1', "a;'＝1"],
  ] as const)
    assert.equal(guardedCsvCell(text), cell, text);
});

test('other texts and numbers are unchanged', () => {
  for (const text of ['-12.50', '12', 'order-1', 'a=b', 'a@example.org', 'ACME - March', '1 + 1', 'a;b', ''])
    assert.equal(guardedCsvCell(text), text);
});
