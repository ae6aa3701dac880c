import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, csvLine } from './differences-csv.ts';

test('the file for spreadsheets with decimal commas separates cells by semicolons, and no text splits its cell or is a formula', () => {
  const compared = { key: 'merchantReference', fields: ['amount'] } as const;
  const difference = {
    kind: 'missing_here',
    line: 2,
    file: { merchantReference: 'a;b, "c"', amount: '-1234.50' },
    account: null,
    fields: [],
  } as const;
  assert.match(csvHead(compared, ';'), /^difference;line;fields;file_reference;file_merchantReference;/);
  assert.match(csvLine(difference, compared, ';'), /^missing_here;2;;;"a;b, ""c""";;-1234,50;/);
  assert.match(csvLine(difference, compared), /^missing_here,2,,,"a;b, ""c""",,-1234\.50,/);
  const plain = { ...difference, file: { merchantReference: 'a;b', amount: '=1+1' } };
  assert.match(csvLine(plain, compared, ';'), /^missing_here;2;;;"a;b";;'=1\+1;/);
});
