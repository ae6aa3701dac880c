import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultList } from '../../../../values/fault-list.ts';
import { BUILT_IN_STATUSES } from '../../../../values/status.ts';
import { NO_EXPORT_FILTER } from '../export-filter.ts';
import type { ExportFault } from '../export-query.ts';
import { exportRequestReader } from './export-parameters.ts';

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
  assert.deepEqual(request, { format: 'csv', filter: NO_EXPORT_FILTER, spreadsheet: false });
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
  const { request, faults } = read({ ...filter, spreadsheet: 'true' });
  assert.deepEqual(request, { format: 'csv', filter, spreadsheet: true });
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
    curency: 'EUR',
    resume: ['exp_1', 'exp_1'],
    after: 'a b',
  });
  assert.deepEqual(codes, [
    'status invalid_status',
    'currency invalid_currency',
    'from invalid_date',
    'to invalid_date',
    'merchantReference invalid_merchant_reference',
    'spreadsheet invalid_spreadsheet',
    'recordedAt invalid_column',
    'curency unknown_parameter',
    'resume unknown_parameter',
    'after unknown_parameter',
  ]);
  const inverted = { from: '2026-03-02', to: '2026-03-01', paidFrom: '2026-03-02', paidTo: '2026-03-01' };
  assert.deepEqual(read({ status: ['pending', 'pending'], ...inverted }).codes, [
    'status duplicate_parameter',
    'from date_range_inverted',
    'paidFrom date_range_inverted',
  ]);
});

test('an unknown name gets the nearest one, or what an export has instead', () => {
  const detailOf = (name: string, format: 'csv' | 'ndjson' = 'csv') =>
    read({ [name]: '1' }, format).faults[0]?.detail ?? '';
  assert.match(detailOf('currencyy'), /did you mean currency\?/);
  assert.match(detailOf('form'), /did you mean from\?/);
  for (const name of ['cursor', 'limit', 'page', 'page_size'])
    assert.equal(detailOf(name), `An export has all transactions in one response: omit ${name}.`);
  for (const name of ['resume', 'after'])
    assert.equal(detailOf(name), `An export that was cut is started again from the beginning: omit ${name}.`);
  assert.match(detailOf('asOf'), /^An export begins at the last change of the account/);
  assert.equal(detailOf('spreadsheet', 'ndjson'), 'Only CSV has spreadsheet: omit it.');
  assert.doesNotMatch(detailOf('x', 'ndjson'), /spreadsheet/);
});
