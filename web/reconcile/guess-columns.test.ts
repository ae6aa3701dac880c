import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from '../../client/src/transaction.ts';
import { scriptedTransaction } from '../../test/rig/data/scripted-feed.ts';
import { openFile } from './file-text.ts';
import { guessColumns } from './guess-columns.ts';

const transactions = Array.from({ length: 20 }, (_, index) =>
  scriptedTransaction({
    reference: `pay_${index}`,
    merchantReference: `order-${10_000 + index}`,
    amount: `${100 + index}.50`,
    paidAt: `2026-03-0${1 + (index % 9)}T12:00:00.000Z`,
    createdAt: `2026-03-0${1 + (index % 9)}T11:00:00.000Z`,
  }),
);

async function guess(text: string, isMonthFirst = false, known = transactions) {
  const file = await openFile(Object.assign(new Blob([text]), { name: 'a.csv' }));
  return { file, ...(await guessColumns(file, known, isMonthFirst)) };
}
const rows = (row: (one: Transaction, day: string) => string) =>
  transactions.map((transaction) => row(transaction, transaction.paidAt?.slice(8, 10) as string)).join('\n');

test('a German bank: the reference in the purpose, booking day before value day, decimal comma, and lines above the table', async () => {
  const { file, roles, key, isContained, decimalComma, known, currency } = await guess(
    `Konto;DE12 3456\nZeitraum;01.03.2026 - 31.03.2026\n\nBuchung;Valuta;Verwendungszweck;Betrag;Saldo;W\u00e4hrung\n${rows(
      (one, day) =>
        `${day}.03.2026;28.03.2026;"RG ${one.merchantReference?.toUpperCase()} DANKE";${one.amount.replace('.', ',')};9.999,00;EUR`,
    )}`,
  );
  assert.equal(file.headerLine, 4);
  assert.deepEqual(roles, ['paidAt', '', 'merchantReference', 'amount', '', 'currencyCode']);
  assert.deepEqual(
    [key, isContained, decimalComma, known, currency],
    ['merchantReference', true, true, 20, 'EUR'],
  );
});

test('a provider: the payment ID, a status, the gross amount and not the fee, months first', async () => {
  const { roles, key, isContained, dateOrder, hasTwoOrders, decimalComma } = await guess(
    `id,created,gross,fee,net,state\n${rows(
      (one, day) =>
        `${one.reference},03/${day}/2026,${one.amount},1.00,${Number(one.amount) - 1}.00,completed`,
    )}`,
  );
  assert.deepEqual(roles, ['reference', 'paidAt', 'amount', '', '', 'status']);
  assert.deepEqual([key, isContained, dateOrder, decimalComma], ['reference', false, 'mdy', false]);
  assert.equal(hasTwoOrders, true);
});

test('days are those of payment or of creation, whichever are closer to the transactions', async () => {
  const days = (one: Transaction) =>
    [one.createdAt, one.paidAt ?? one.createdAt].map((time) => time.slice(0, 10));
  const laterPaid = transactions.map((one, index) =>
    index % 2 === 0 ? one : { ...one, createdAt: one.createdAt.replace('2026-03', '2026-02') },
  );
  const unpaid = laterPaid.map((one, index) => (index % 3 === 0 ? { ...one, paidAt: null } : one));
  for (const [known, place, role] of [
    [laterPaid, 0, 'createdAt'],
    [laterPaid, 1, 'paidAt'],
    [transactions, 0, 'paidAt'],
    [unpaid, 1, 'createdAt'],
  ] as const) {
    const lines = known.map((one) => `${days(one)[place]};${one.merchantReference};${one.amount}`);
    const { roles } = await guess(`Tag;Referenz;Betrag\n${lines.join('\n')}`, false, known);
    assert.deepEqual(roles, [role, 'merchantReference', 'amount']);
  }
});

test('the order of a date is asked for only where a date can be two days', async () => {
  for (const [separator, last, isAsked] of [
    ['.', 'n/a', false],
    ['/', '05/06/2026', true],
  ] as const) {
    const { hasTwoOrders } = await guess(
      `Tag;Referenz;Betrag\n${rows((one, day) => `2${day.at(-1)}${separator}03${separator}2026;${one.merchantReference};${one.amount}`)}\n${last};x;1.00`,
      true,
    );
    assert.equal(hasTwoOrders, isAsked, last);
  }
});

test('a British bank: money in and out have columns of their own, and a date has the name of its month', async () => {
  const { roles, decimalComma, hasTwoOrders } = await guess(
    `Date,Details,Paid out,Paid in,Balance\n${rows(
      (one, day) => `${Number(day)} Mar 2026,PAYMENT ${one.merchantReference},,"1,${one.amount}","12,000.00"`,
    )}\n3 Mar 2026,CHARGE,9.50,,"11,990.50"`,
  );
  assert.deepEqual(roles, ['paidAt', 'merchantReference', 'paidOut', 'amount', '']);
  assert.deepEqual([decimalComma, hasTwoOrders], [false, false]);
});

test('a file of this page is known by the names of its columns, and one without names by its values', async () => {
  const names = 'reference,merchantReference,status,amount,currencyCode,paidAt,createdAt';
  const lines = rows((one) => Object.values(one).join(','));
  const own = await guess(`${names}\n${lines}`);
  assert.deepEqual(own.roles, names.split(','));
  assert.equal(own.key, 'reference');
  const bare = await guess(lines);
  assert.equal(bare.file.headerLine, 0);
  assert.deepEqual(bare.file.names.slice(0, 2), ['1', '2']);
  assert.deepEqual(bare.roles.slice(0, 5), ['reference', '', 'status', 'amount', 'currencyCode']);
});

test('a file that is no table is refused with its kind, and other encodings are read', async () => {
  for (const [content, kind] of [
    ['PK\u0003\u0004xx', 'workbook'],
    ['%PDF-1.7', 'pdf'],
    ['<?xml version="1.0"?><a/>', 'xml'],
    ['<Document xmlns="urn:iso">', 'xml'],
    ['{1:F01BANK}{4:\n:20:START', 'mt940'],
    [':20:STARTUMS\n:25:10020030/1234567\n', 'mt940'],
    ['OFXHEADER:100\n', 'ofx'],
    ['!Type:Bank\n', 'qif'],
    ['\u001f\u008b', 'archive'],
    ['\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', 'binary'],
    ['\n \n', 'empty'],
    ['one\ntwo\n', 'one_column'],
    ['reference;amount\n', 'only_header'],
  ] as const)
    await assert.rejects(
      openFile(Object.assign(new Blob([Buffer.from(content, 'latin1')]), { name: 'a.csv' })),
      { kind },
      content,
    );
  const utf16 = Buffer.from('\uFEFFa;b\n1;\u00fc\n', 'utf16le');
  for (const [bytes, encoding] of [
    [utf16, 'utf-16le'],
    [utf16.subarray(2), 'utf-16le'],
    [Buffer.from(utf16.subarray(2)).swap16(), 'utf-16be'],
    [Buffer.from('a;b\r1;\u00fc\r'), 'utf-8'],
    [Buffer.from('a;b\n1;\u00fc\n', 'latin1'), 'windows-1252'],
    [Buffer.from('a;b\n1;\u00fc\n'), 'utf-8'],
  ] as const) {
    const file = await openFile(Object.assign(new Blob([bytes]), { name: 'a.csv' }));
    assert.deepEqual([file.encoding, file.names, file.rows], [encoding, ['a', 'b'], [['1', '\u00fc']]]);
  }
});

test('a detail is the key if the lines have no reference and the detail distinguishes the transactions', async () => {
  const withInvoice = transactions.map((one, index) => ({
    ...one,
    details: { invoice: `RE-${2000 + index}`, customer: 'Ada' },
  }));
  const text = `Name;Beleg;Betrag\n${withInvoice.map((one) => `Ada;Rechnung ${one.details.invoice};${one.amount}`).join('\n')}\n`;
  const { roles, key, isContained, known } = await guess(text, false, withInvoice);
  assert.deepEqual(roles, ['', 'details.invoice', 'amount']);
  assert.deepEqual([key, isContained, known], ['details.invoice', true, 20]);
});

test('a column of unreadable amounts is still the amounts, and a currency can be in lower case', async () => {
  for (const [suffix, amountName] of [
    [' Euro', 'Betrag'],
    ['*', 'Betrag'],
    [' Ausgl.', 'Wert'],
    ['*', 'Zahlung'],
  ] as const) {
    const { roles } = await guess(
      `Referenz;${amountName};W\n${rows((one) => `${one.merchantReference};${one.amount.replace('.', ',')}${suffix};usd`)}`,
    );
    assert.deepEqual(roles, ['merchantReference', 'amount', 'currencyCode'], suffix);
  }
});

test('columns that are named like a day or a currency keep their meaning if their cells are unreadable', async () => {
  for (const [names, cells, last] of [
    ['Buchungstag;W\u00e4hrung', '12th of March;Taler', '12th of March;Taler'],
    ['Date;Currency', '1;EUR', 'x;Dollar'],
    ['Valuta;Devise', '12. Tag;Dollar', '12. Tag;EUR'],
  ] as const) {
    const lines = rows((one) => `${one.merchantReference};${one.amount};${cells}`);
    const { roles } = await guess(`Referenz;Betrag;${names}\n${lines}\nx;1.50;${last}`);
    assert.deepEqual(roles, ['merchantReference', 'amount', 'paidAt', 'currencyCode'], names);
  }
  const { roles } = await guess(
    `Referenz;Betrag;Betrag in Fremdw\u00e4hrung\n${rows((one) => `${one.merchantReference};${one.amount};7.00`)}`,
  );
  assert.deepEqual(roles, ['merchantReference', 'amount', ''], 'an amount');
});

test('a column of debits and credits gives amounts without a sign their sign', async () => {
  for (const words of [
    ['S', 'H'],
    ['Debit', 'Credit'],
    ['DBIT', 'CRDT'],
    ['Dr.', 'Cr.'],
    ['paid out', 'Paid in'],
    ['D\u00e9bit', 'Cr\u00e9dit'],
  ]) {
    const { roles } = await guess(
      `Referenz;Betrag;Art\n${rows((one, day) => `${one.merchantReference};${one.amount};${words[Number(day) % 2]}`)}\nx;1.50;?`,
    );
    assert.deepEqual(roles, ['merchantReference', 'amount', 'direction']);
  }
});
