import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf } from './file-table.ts';

const read = (...lines: readonly string[]) => {
  const { delimiter, headerLine, names = [], rows = [] } = tableOf(lines) ?? {};
  return { delimiter, headerLine, names: names.join('|'), rows: rows.map((row) => row.join('|')) };
};

test('the delimiter is the one that splits most lines into the same number of columns; in a tie, a comma is a decimal comma', () => {
  assert.deepEqual(read('31.10.2026;tx_1;120,00;EUR', '30.10.2026;tx_2;1.234,56;EUR'), {
    delimiter: ';',
    headerLine: 0,
    names: '1|2|3|4',
    rows: ['31.10.2026|tx_1|120,00|EUR', '30.10.2026|tx_2|1.234,56|EUR'],
  });
  assert.equal(read('tx_1\t120,00', 'tx_2\t1,00').delimiter, '\t');
  assert.equal(read('Ref,Text,Amount', 'tx_1,a;b,1.00', 'tx_2,c,2.00').delimiter, ',');
  assert.equal(tableOf(['one', 'two;', ';;;']), undefined);
});

test('lines above the table are skipped, even if a spreadsheet has filled them with delimiters', () => {
  const table = ['Tag;Referenz;Betrag;Notiz', '31.10.2026;tx_1;120,00;x', '30.10.2026;tx_2;24,50;'];
  const rows = ['31.10.2026|tx_1|120,00|x', '30.10.2026|tx_2|24,50|'];
  for (const above of [
    [],
    ['Kontoauszug;;;', 'Konto: DE123;;;', 'Zeitraum;01.09.2026;31.10.2026;', ';;;', ''],
    ['Kontoauszug;;;', 'Inhaber;Girokonto;;'],
    ['Kontoauszug', 'Zeitraum;01.09.2026;31.10.2026', ''],
  ])
    assert.deepEqual(
      read(...above, ...table),
      { delimiter: ';', headerLine: above.length + 1, names: 'Tag|Referenz|Betrag|Notiz', rows },
      above[0],
    );
});

test('a line of texts below lines with payments is not the header', () => {
  const lines = ['31.10.2026;tx_1;120,00;EUR', 'unknown;tx_2;missing;EUR', '29.10.2026;tx_3;1,00;EUR'];
  assert.equal(read(...lines).headerLine, 0);
});
