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
  type MisspeltRoute,
  parseRoute,
  queryOf,
  reviewRoute,
  withContext,
  withoutContext,
} from './route.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => one.isWellFormed());
const filter = fc.record(
  Object.fromEntries(FILTER_NAMES.map((name) => [name, name === 'by' ? fc.constant(BY_PAYMENT) : text])),
  { requiredKeys: [] },
);
const route: fc.Arbitrary<KnownRoute> = fc.oneof(
  fc.record({ view: fc.constant('list' as const), filter, cursor: fc.option(text) }),
  fc.record({ view: fc.constant('transaction' as const), reference: text }),
  fc.constant({ view: 'webhooks' as const }),
  fc.record({ view: fc.constant('reconcile' as const), filter }),
  filter.map(reviewRoute),
  filter.map((one) => changesRoute(one, one['from'])),
  fc.record({ view: fc.constant('search' as const), text: text.filter((one) => one.trim() === one) }),
);

test('a route is parsed from its address unchanged', () => {
  fc.assert(
    fc.property(route, (one) => {
      const { hash } = new URL(formatRoute(one), 'http://here/');
      assert.deepEqual(parseRoute(hash), structuredClone(one));
    }),
  );
});

const timeZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');

test('an address can name the account and the time zone, which do not change the route', () => {
  fc.assert(
    fc.property(route, text, timeZone, (one, account, zone) => {
      const context = { account, timeZone: zone };
      const { hash } = new URL(withContext(formatRoute(one), context), 'http://here/');
      assert.deepEqual(parseRoute(hash), structuredClone(one));
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
  const payment = { view: 'transaction', reference: 'tx_1' };
  const misspelt: [address: string, parts: string[], detail: RegExp, meant: object | undefined][] = [
    [
      '#/?curency=EUR&from=2026-01-01',
      ['curency'],
      /mean currency\?$/,
      list({ currency: 'EUR', from: '2026-01-01' }),
    ],
    ['#/?curency=EUR&cursor=a', ['curency'], /mean currency\?$/, list({ currency: 'EUR' }, 'a')],
    ['#/transactions?limit=50', ['limit'], /are status, .*, by\.$/, undefined],
    ['#/transactions?status=', ['status'], /^has no value/, list({})],
    ['#/transactions?timezone=Europe/Berlin', ['timezone'], /mean timeZone\?$/, undefined],
    ['#/transactions?timeZone=Europe/Berln', ['timeZone'], /^has to be a time zone/, undefined],
    ['#/transactions?currency=EUR&currency=USD', ['currency'], /twice/, undefined],
    ['#/transactions?a=1&to=', ['a', 'to'], /^is not a filter\..* has no value/, undefined],
    ['#/transaction/tx_1', ['#/transaction/tx_1'], /mean #\/transactions\/tx_1\?$/, payment],
    ['#/trasactions?currency=EUR', ['#/trasactions'], /mean #\/transactions\?/, list({ currency: 'EUR' })],
    ['#/elsewhere', ['#/elsewhere'], /^is not an address of this page\. /, undefined],
    ['#/transactions/tx_1?currency=EUR', ['currency'], /^does not belong/, payment],
    [
      '#/review?status=refunded&to=2026-01-01',
      ['status'],
      /are currency, from, to, by\.$/,
      { view: 'review', filter: { to: '2026-01-01' } },
    ],
    [
      '#/changes?from=2026-01-01&to=a&by=payment',
      ['to', 'by'],
      /are currency, from\.$/,
      changesRoute({}, '2026-01-01'),
    ],
  ];
  for (const [address, parts, detail, meant] of misspelt) {
    const { faults, meant: found } = parseRoute(address) as MisspeltRoute;
    assert.deepEqual([faults.map(({ part }) => part), found], [parts, meant], address);
    assert.match(faults.map((fault) => fault.detail).join(' '), detail);
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
