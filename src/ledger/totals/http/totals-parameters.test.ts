import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ALL_TOTALS } from '../../../../test/rig/data/all-totals.ts';
import type { ParameterFault } from '../../../../values/parameter-fault.ts';
import { Problem } from '../../../../values/problem.ts';
import { BUILT_IN_STATUSES } from '../../../../values/status.ts';
import { type TotalsRequest, totalsRequestReader } from './totals-parameters.ts';

type Parameters = Record<string, string | string[]>;

const readRequest = totalsRequestReader(new Map([...BUILT_IN_STATUSES, ['failed', 'unpaid'] as const]));

function read(parameters: Parameters): { request?: TotalsRequest; faults: readonly ParameterFault[] } {
  try {
    return { request: readRequest(parameters), faults: [] };
  } catch (error) {
    assert.ok(error instanceof Problem);
    return { faults: error.options.errors ?? [] };
  }
}

test('without parameters, a request is for all transactions, not split', () => {
  assert.deepEqual(read({}), { request: ALL_TOTALS, faults: [] });
});

test('each parameter is read alone', () => {
  const cases: [Parameters, Partial<TotalsRequest>][] = [
    [{ status: 'failed' }, { status: 'failed' }],
    [{ currency: 'EUR' }, { currency: 'EUR' }],
    [{ from: '1970-01-02' }, { fromDay: 1 }],
    [{ to: '1969-12-31' }, { toDay: -1 }],
    [{ timeZone: 'Europe/Berlin' }, { timeZone: 'Europe/Berlin' }],
    [{ merchantReference: 'order-1' }, { merchantReference: 'order-1' }],
    [{ paidFrom: '1970-01-02' }, { paid: { fromMs: 86_400_000, beforeMs: null } }],
    [{ paidTo: '1970-01-02' }, { paid: { fromMs: null, beforeMs: 2 * 86_400_000 } }],
    [{ by: 'day' }, { by: 'day' }],
    [{ by: 'month' }, { by: 'month' }],
  ];
  for (const [parameters, expected] of cases)
    assert.deepEqual(read(parameters), { request: { ...ALL_TOTALS, ...expected }, faults: [] });
});

test('a range can be as long as the calendar, or one day, and not inverted', () => {
  const { request, faults } = read({ from: '0001-01-01', to: '9999-12-31' });
  assert.deepEqual([request?.fromDay, request?.toDay, faults], [-719_162, 2_932_896, []]);
  assert.deepEqual(read({ from: '2026-03-31', to: '2026-03-31' }).faults, []);
  assert.deepEqual(read({ from: '2026-04-01', to: '2026-03-31' }).faults, [
    {
      parameter: 'from',
      code: 'date_range_inverted',
      detail: 'from (2026-04-01) is after to (2026-03-31). Send the earlier day as from.',
    },
  ]);
});

test('totals of a merchantReference are not split', () => {
  assert.deepEqual(read({ merchantReference: 'order-1', by: 'day' }).faults, [
    { parameter: 'by', code: 'invalid_by', detail: 'Totals of a merchantReference are not split: omit by.' },
  ]);
  assert.equal(read({ merchantReference: '' }).faults[0]?.code, 'invalid_merchant_reference');
});

test('by can be day or month, and a value near one gets the right one', () => {
  for (const value of ['', 'week', 'year', 'currency', 'day,currency', 'null']) {
    const { faults } = read({ by: value });
    assert.deepEqual(
      faults.map(({ parameter, code }) => [parameter, code]),
      [['by', 'invalid_by']],
      value,
    );
    assert.match(faults[0]?.detail ?? '', /Send by=day or by=month, or omit by to add all days up\.$/, value);
  }
  for (const value of ['Day', 'DAY', 'days', 'daily', 'Daily', 'da'])
    assert.match(read({ by: value }).faults[0]?.detail ?? '', /is not a period: did you mean day\?$/, value);
  for (const value of ['Month', 'months', 'monthly'])
    assert.match(
      read({ by: value }).faults[0]?.detail ?? '',
      /is not a period: did you mean month\?$/,
      value,
    );
});

test('a parameter of the list, or another name for by, gets the way to totals', () => {
  const unknown = (name: string) => {
    const { faults } = read({ [name]: '1' });
    assert.deepEqual([faults.length, faults[0]?.code], [1, 'unknown_parameter'], name);
    return faults[0]?.detail ?? '';
  };
  for (const name of ['cursor', 'limit', 'page', 'pageSize', 'per_page', 'offset', 'after'])
    assert.equal(unknown(name), `Totals are not divided into pages: omit ${name}.`);
  for (const name of [
    'groupBy',
    'group_by',
    'groupedBy',
    'splitBy',
    'interval',
    'granularity',
    'period',
    'day',
    'daily',
    'month',
    'monthly',
  ])
    assert.equal(
      unknown(name),
      `Omit ${name}: totals are of each currency and status. by=day or by=month splits them, and from and to are the days.`,
    );
});

test('the days of payment are in order', () => {
  const { faults } = read({ paidFrom: '2026-04-01', paidTo: '2026-03-31', by: 'day' });
  assert.deepEqual(
    faults.map(({ parameter, code }) => [parameter, code]),
    [['paidFrom', 'date_range_inverted']],
  );
});

test('all faults are reported together, with the parameter that was probably meant', () => {
  const { faults } = read({
    curency: 'EUR',
    status: 'paid',
    currency: ['EUR', 'USD'],
    from: '2026-02-30',
    to: 'today',
    by: 'week',
    toString: 'x',
  });
  assert.deepEqual(
    faults.map(({ parameter, code }) => `${parameter} ${code}`),
    [
      'curency unknown_parameter',
      'status invalid_status',
      'currency duplicate_parameter',
      'from invalid_date',
      'to invalid_date',
      'by invalid_by',
      'toString unknown_parameter',
    ],
  );
  assert.match(
    faults[0]?.detail ?? '',
    /did you mean currency\? The parameters are status, currency, from, to, timeZone, merchantReference, paidFrom, paidTo, by\.$/,
  );
});
