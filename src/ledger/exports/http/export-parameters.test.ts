import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultList } from '../../../values/fault-list.ts';
import { BUILT_IN_STATUSES } from '../../../values/status.ts';
import type { Export } from '../export.ts';
import { NO_EXPORT_FILTER } from '../export-filter.ts';
import { checkMismatch, type ExportFault } from '../export-query.ts';
import { exportRequestReader } from './export-parameters.ts';

const ID = 'exp_0123456789abcdef';

function read(parameters: Record<string, string | string[]>, format: 'csv' | 'ndjson' = 'csv') {
  const faults = new FaultList<ExportFault>();
  const request = exportRequestReader(format, BUILT_IN_STATUSES)(parameters, faults);
  return {
    request,
    faults: faults.listed,
    codes: faults.listed.map(({ parameter, code }) => `${parameter} ${code}`),
  };
}

test('a query without parameters asks for everything', () => {
  const { request, faults } = read({});
  assert.deepEqual(request, {
    format: 'csv',
    filter: NO_EXPORT_FILTER,
    spreadsheet: null,
    resume: null,
    after: null,
  });
  assert.deepEqual(faults, []);
});

test('every parameter is read, and a range has any length', () => {
  const filter = {
    status: 'completed',
    currency: 'EUR',
    from: '0001-01-01',
    to: '9999-12-31',
    timeZone: 'Europe/Berlin',
    merchantReference: 'order-1',
    paidFrom: '0001-01-01',
    paidTo: '2026-03-31',
    relatedTo: 'true',
    recordedAt: 'true',
    details: 'customer,last4',
  };
  const { request, faults } = read({ ...filter, spreadsheet: 'true', resume: ID, after: 'pay_1' });
  assert.deepEqual(request, { format: 'csv', filter, spreadsheet: true, resume: ID, after: 'pay_1' });
  assert.deepEqual(faults, []);
  assert.equal(read({ spreadsheet: 'false' }).request.spreadsheet, false);
  for (const name of ['relatedTo', 'recordedAt'] as const)
    assert.equal(read({ [name]: 'false' }).request.filter[name], null);
  assert.equal(read({ recordedAt: 'true' }, 'ndjson').request.filter.recordedAt, 'true');
});

test('all faults are reported together', () => {
  const { codes } = read({
    status: 'paid',
    currency: 'eur',
    from: '2026-02-30',
    to: 'today',
    merchantReference: '',
    spreadsheet: 'yes',
    recordedAt: 'yes',
    resume: 'exp_1',
    after: 'a b',
    curency: 'EUR',
    after2: ['1', '2'],
  });
  assert.deepEqual(codes, [
    'status invalid_status',
    'currency invalid_currency',
    'from invalid_date',
    'to invalid_date',
    'merchantReference invalid_merchant_reference',
    'spreadsheet invalid_spreadsheet',
    'recordedAt invalid_column',
    'resume invalid_resume',
    'after invalid_after',
    'curency unknown_parameter',
    'after2 unknown_parameter',
  ]);
  assert.deepEqual(read({ resume: [ID, ID], from: '2026-03-02', to: '2026-03-01' }).codes, [
    'resume duplicate_parameter',
    'from date_range_inverted',
  ]);
});

test('after without resume is a fault, and with a malformed resume only the resume is one', () => {
  assert.deepEqual(read({ after: 'pay_1' }).codes, ['after invalid_after']);
  assert.deepEqual(read({ after: 'pay_1', resume: 'x' }).codes, ['resume invalid_resume']);
});

test('an unknown name gets the nearest one, or what an export has instead', () => {
  const detailOf = (name: string, format: 'csv' | 'ndjson' = 'csv') =>
    read({ [name]: '1' }, format).faults[0]?.detail ?? '';
  assert.match(detailOf('currencyy'), /did you mean currency\?/);
  assert.match(detailOf('form'), /did you mean from\?/);
  for (const name of ['cursor', 'limit', 'page', 'page_size'])
    assert.equal(detailOf(name), `An export has all transactions in one response: omit ${name}.`);
  assert.match(detailOf('asOf'), /^An export begins at the last change of the account/);
  assert.equal(detailOf('spreadsheet', 'ndjson'), 'Only CSV has spreadsheet: omit it.');
  assert.doesNotMatch(detailOf('x', 'ndjson'), /spreadsheet/);
});

test('what is sent with resume must be what the export has', () => {
  const exported: Export = {
    id: ID,
    account: 'store-1',
    format: 'csv',
    spreadsheet: true,
    filter: { ...NO_EXPORT_FILTER, status: 'completed', from: '2026-03-01' },
    created: null,
    asOf: 7,
    asOfId: null,
    seal: null,
    totals: [],
    resumedAfter: [],
    attempt: 1,
    startedAtMs: 0,
    result: null,
  };
  const mismatches = (parameters: Record<string, string>, format: 'csv' | 'ndjson' = 'csv') =>
    checkMismatch(read({ resume: ID, ...parameters }, format).request, exported);
  assert.deepEqual(mismatches({}), []);
  assert.deepEqual(mismatches({ status: 'completed', from: '2026-03-01', spreadsheet: 'true' }), []);
  const faults = mismatches({ status: 'pending', currency: 'EUR', spreadsheet: 'false' });
  assert.deepEqual(
    faults.map(({ parameter, code, detail }) => [parameter, code, detail]),
    [
      ['status', 'export_mismatch', 'The status of the export is "completed". Send the same, or omit it.'],
      [
        'currency',
        'export_mismatch',
        'The export has no currency. Omit currency: resume alone means the same filters.',
      ],
      [
        'spreadsheet',
        'export_mismatch',
        'The spreadsheet of the export is "true". Send the same, or omit it.',
      ],
    ],
  );
  const [format] = mismatches({}, 'ndjson');
  assert.equal(format?.detail, 'The export is CSV: resume it with /v1/transactions.csv.');
});
