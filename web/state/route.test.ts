import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import {
  BY_PAYMENT,
  changesRoute,
  contextOf,
  FILTER_NAMES,
  type Filter,
  formatRoute,
  type KnownRoute,
  parseRoute,
  queryOf,
  reviewRoute,
  withContext,
  withoutContext,
} from './route.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => one.isWellFormed());
const filter = fc.record(
  Object.fromEntries(FILTER_NAMES.map((name) => [name, name === 'by' ? fc.constant(BY_PAYMENT) : text])),
  {
    requiredKeys: [],
    noNullPrototype: true,
  },
);
const route: fc.Arbitrary<KnownRoute> = fc.oneof(
  fc.record(
    { view: fc.constant('list' as const), filter, cursor: fc.option(text) },
    { noNullPrototype: true },
  ),
  fc.record({ view: fc.constant('transaction' as const), reference: text }, { noNullPrototype: true }),
  fc.constant({ view: 'webhooks' as const }),
  fc.record({ view: fc.constant('reconcile' as const), filter }, { noNullPrototype: true }),
  filter.map(reviewRoute),
  filter.map((one) => changesRoute(one, one['from'])),
  fc.record(
    { view: fc.constant('search' as const), text: text.filter((one) => one.trim() === one) },
    { noNullPrototype: true },
  ),
);

test('a route is parsed from its address unchanged', () => {
  fc.assert(
    fc.property(route, (one) => {
      const { hash } = new URL(formatRoute(one), 'http://here/');
      assert.deepEqual(parseRoute(hash), one);
    }),
  );
});

const timeZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');

test('an address can name the account and the time zone, which do not change the route', () => {
  fc.assert(
    fc.property(route, text, timeZone, (one, account, zone) => {
      const context = { account, timeZone: zone };
      const { hash } = new URL(withContext(formatRoute(one), context), 'http://here/');
      assert.deepEqual(parseRoute(hash), one);
      assert.deepEqual(contextOf(hash), context);
      assert.equal(withoutContext(hash), new URL(formatRoute(one), 'http://here/').hash);
      assert.equal(withContext(hash, context), hash);
    }),
  );
  const berlin = { account: 'store-1', timeZone: 'Europe/Berlin' };
  assert.equal(withContext('', berlin), '#/transactions?account=store-1&timeZone=Europe/Berlin');
  assert.equal(withContext('#/transactions', {}), '#/transactions');
  assert.deepEqual(contextOf('#/transactions?currency=EUR'), {});
  assert.deepEqual(contextOf('#/transactions?merchantReference=a?&account=store-2'), { account: 'store-2' });
});

test('only days have a time zone', () => {
  assert.deepEqual(queryOf({ currency: 'EUR' }, 'Europe/Berlin'), { currency: 'EUR' });
  for (const days of [{ from: '2026-01-01' }, { to: '2026-01-01' }])
    assert.deepEqual(queryOf(days, 'Europe/Berlin'), { ...days, timeZone: 'Europe/Berlin' });
});

test('an address without filters is the list of all transactions', () => {
  for (const fragment of ['', '#', '#/', '#/transactions', '#/transactions/', '#/transactions?', '#/?'])
    assert.deepEqual(parseRoute(fragment), { view: 'list', filter: {}, cursor: null }, fragment);
  assert.deepEqual(parseRoute('#/transactions/%E0%A4%A'), { view: 'transaction', reference: '%E0%A4%A' });
});

test('a misspelt address is refused: each fault is named, with the address that was probably meant', () => {
  const list = (given: Filter, cursor: string | null = null) => ({ view: 'list', filter: given, cursor });
  const misspelt: [address: string, faults: [part: string, detail: RegExp][], meant: object | undefined][] = [
    [
      '#/?curency=EUR&from=2026-01-01&cursor=a',
      [['curency', /^is not a filter\. Did you mean currency\?$/]],
      list({ currency: 'EUR', from: '2026-01-01' }, 'a'),
    ],
    [
      '#/transactions?limit=50',
      [['limit', /^is not a filter\. The filters are status, currency, merchantReference, from, to, by\.$/]],
      undefined,
    ],
    ['#/transactions?status=', [['status', /^has no value/]], list({})],
    ['#/transactions?timezone=Europe/Berlin', [['timezone', /Did you mean timeZone\?$/]], undefined],
    [
      '#/transactions?timeZone=Europe/Berln',
      [['timeZone', /^has to be a time zone, such as Europe\/Berlin/]],
      undefined,
    ],
    ['#/transactions?currency=EUR&currency=USD', [['currency', /^is in the address twice/]], undefined],
    [
      '#/transactions?a=1&to=',
      [
        ['a', /^is not a filter/],
        ['to', /^has no value/],
      ],
      undefined,
    ],
    [
      '#/transaction/tx_1',
      [['#/transaction/tx_1', /^is not an address of this page\. Did you mean #\/transactions\/tx_1\?$/]],
      { view: 'transaction', reference: 'tx_1' },
    ],
    [
      '#/trasactions?currency=EUR',
      [['#/trasactions', /Did you mean #\/transactions\?/]],
      list({ currency: 'EUR' }),
    ],
    ['#/elsewhere', [['#/elsewhere', /^is not an address of this page\. .*#\/transactions/]], undefined],
    [
      '#/transactions/tx_1?currency=EUR',
      [['currency', /^does not belong in this address/]],
      { view: 'transaction', reference: 'tx_1' },
    ],
    [
      '#/review?status=refunded&from=2026-01-01',
      [['status', /^is not a filter\. The filters are currency, from, to, by\.$/]],
      { view: 'review', filter: { from: '2026-01-01' } },
    ],
    [
      '#/changes?currency=EUR&to=2026-01-01&by=payment',
      [
        ['to', /^is not a filter\. The filters are currency, from\.$/],
        ['by', /^is not a filter/],
      ],
      { view: 'changes', filter: { currency: 'EUR' } },
    ],
  ];
  for (const [address, faults, meant] of misspelt) {
    const route = parseRoute(address);
    assert.ok(route.view === 'misspelt', address);
    assert.deepEqual(
      route.faults.map(({ part }) => part),
      faults.map(([part]) => part),
      address,
    );
    for (const [index, [, detail]] of faults.entries())
      assert.match(route.faults[index]?.detail ?? '', detail);
    assert.deepEqual(route.meant, meant, address);
  }
});

test('filters before the # are refused, because they would be ignored', () => {
  const route = parseRoute('#/transactions', '?currency=EUR&utm_source=mail');
  assert.ok(route.view === 'misspelt');
  assert.deepEqual(
    route.faults.map(({ part }) => part),
    ['currency'],
  );
  assert.match(route.faults[0]?.detail ?? '', /after #\/transactions\?/);
  assert.deepEqual(route.meant, { view: 'list', filter: { currency: 'EUR' }, cursor: null });
  assert.equal(parseRoute('', '?utm_source=mail').view, 'list');
  const zoned = parseRoute('#/transactions', '?from=2026-01-01&timeZone=Europe/Berlin');
  assert.ok(zoned.view === 'misspelt');
  assert.equal(zoned.meant, undefined);
});

test('days of payment are sent as paidFrom and paidTo, and by payment has no effect without days', () => {
  const days = { from: '2026-10-01', to: '2026-10-31' };
  assert.deepEqual(queryOf({ ...days, by: BY_PAYMENT, status: 'completed' }, 'Europe/Berlin'), {
    status: 'completed',
    paidFrom: '2026-10-01',
    paidTo: '2026-10-31',
    timeZone: 'Europe/Berlin',
  });
  assert.deepEqual(queryOf({ to: '2026-10-31', by: BY_PAYMENT }, 'UTC'), {
    paidTo: '2026-10-31',
    timeZone: 'UTC',
  });
  assert.deepEqual(queryOf({ by: BY_PAYMENT, currency: 'EUR' }, 'UTC'), { currency: 'EUR' });
  const route = parseRoute('#/transactions?from=2026-10-01&by=creation');
  assert.equal(route.view === 'misspelt' && route.faults[0]?.part, 'by');
});
