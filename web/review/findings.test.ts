import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedTransaction } from '../../test/rig/data/scripted-feed.ts';
import { type Recorded, Review, type Span } from './findings.ts';

const OCTOBER: Span = {
  isByPayment: false,
  fromMs: Date.parse('2026-10-01T00:00:00Z'),
  beforeMs: Date.parse('2026-11-01T00:00:00Z'),
};
const BY_PAYMENT = { ...OCTOBER, isByPayment: true };

function payment(reference: string, time: string, fields: Partial<Recorded> = {}): Recorded {
  const createdAt = `2026-${time}:00.000Z`;
  const paid = { merchantReference: `order-${reference}`, amount: '10.00', paidAt: createdAt, createdAt };
  const recorded = { recordedAt: createdAt, statusRecordedAt: createdAt };
  return { ...scriptedTransaction({ reference, ...paid }), ...recorded, ...fields };
}

function found(transactions: readonly Recorded[], span = OCTOBER, within?: number) {
  const review = new Review(span, (status) => status !== 'pending' && status !== 'failed', within);
  for (const one of transactions) review.add(one);
  const { repeated, count, pending, comparedWithin, wonAtByDispute, ...lists } = review.result();
  const names = (all: readonly Recorded[]) => all.map(({ reference }) => reference);
  return {
    count,
    pending,
    comparedWithin,
    wonAtByDispute: [...wonAtByDispute],
    repeated: repeated.map(({ payments }) => names(payments)),
    refunded: repeated.flatMap((group) => [...group.refunded]),
    ...Object.fromEntries(Object.entries(lists).map(([name, all]) => [name, names(all)])),
  };
}

const NONE = {
  count: 0,
  comparedWithin: undefined,
  wonAtByDispute: [],
  repeated: [],
  refunded: [],
  pending: 0,
  disputes: [],
  late: [],
  added: [],
  settled: [],
};

test('equal payments within an hour of each other are reported as charged twice, with any refund of one of them', () => {
  const same = { merchantReference: 'order-1' };
  const all = [
    payment('a', '10-05T10:00', same),
    payment('b', '10-05T11:00', same),
    payment('c', '10-05T12:00', same),
    payment('later', '10-05T13:01', same),
    payment('dearer', '10-05T10:01', { ...same, amount: '10.01' }),
    payment('dollars', '10-05T10:01', { ...same, currencyCode: 'USD' }),
    payment('tried', '10-05T10:01', { ...same, status: 'failed', paidAt: null }),
    payment('none1', '10-05T10:00', { merchantReference: null }),
    payment('none2', '10-05T10:00', { merchantReference: null }),
    payment('refund', '10-07T10:00', { ...same, status: 'refunded', amount: '-10.00', relatedTo: 'b' }),
    payment('refund2', '10-07T10:01', { ...same, status: 'refunded', amount: '-10.00', relatedTo: 'x' }),
  ];
  const { repeated, refunded } = found(all.toReversed());
  assert.deepEqual(repeated, [['a', 'b', 'c']]);
  assert.deepEqual(refunded, ['b']);
});

test('equal payments are found across as many payments as are stored, and the result says that not all were compared', () => {
  const same = { merchantReference: 'order-1' };
  const others = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => payment(`${name}${index}`, '10-05T10:10'));
  const ofPair = (count: number) => [
    ...others(7, 'after'),
    payment('last', '10-05T10:20', same),
    ...others(count, 'between'),
    payment('first', '10-05T10:00', same),
    ...others(40, 'before'),
    payment('refund', '10-02T10:00', { status: 'refunded', amount: '-10.00', relatedTo: 'first' }),
  ];
  for (const count of [0, 5, 9, 10]) {
    const { repeated, refunded, comparedWithin } = found(ofPair(count), OCTOBER, 10);
    assert.deepEqual(
      { repeated, refunded, comparedWithin },
      {
        repeated: [['first', 'last']],
        refunded: ['first'],
        comparedWithin: 10,
      },
    );
  }
  assert.deepEqual(found(ofPair(30), OCTOBER, 10).repeated, []);
  const { repeated, comparedWithin } = found(ofPair(30), OCTOBER, 100);
  assert.deepEqual([repeated, comparedWithin], [[['first', 'last']], undefined]);
});

test('a pair over midnight belongs to the day of its last payment', () => {
  const pair = (first: string, last: string) => {
    const same = { merchantReference: 'order-1' };
    return found([payment('last', last, same), payment('first', first, same)]);
  };
  assert.deepEqual(pair('09-30T23:50', '10-01T00:10').repeated, [['first', 'last']]);
  assert.deepEqual(pair('10-31T23:50', '11-01T00:10').repeated, []);
});

test('a transaction is late if it was recorded more than a day after its creation or, by payment, its payment', () => {
  const at = (recordedAt: string, statusRecordedAt = recordedAt) => ({
    recordedAt: `2026-${recordedAt}.000Z`,
    statusRecordedAt: `2026-${statusRecordedAt}.000Z`,
  });
  const all = [
    payment('in-time', '10-05T10:00', at('10-06T10:00:00')),
    payment('late', '10-05T10:00', at('10-06T10:00:01')),
    payment('paid-late', '10-05T10:00', at('10-05T10:00:01', '10-09T10:00:00')),
    payment('outside', '11-05T10:00', at('11-16T10:00:01')),
  ];
  assert.deepEqual(found(all), { ...NONE, count: 3, late: ['late'] });
  assert.deepEqual(found(all, BY_PAYMENT), { ...NONE, count: 3, late: ['late', 'paid-late'] });
});

test('a transaction recorded after the end is new or no longer pending; on the last millisecond, it is neither', () => {
  const end = '2026-10-31T23:59:59.999Z';
  const after = '2026-11-01T00:00:00.000Z';
  const all = [
    payment('before', '10-31T23:00', { recordedAt: end, statusRecordedAt: end }),
    payment('new', '10-31T23:01', { recordedAt: after, statusRecordedAt: after }),
    payment('settled', '10-31T23:02', { recordedAt: end, statusRecordedAt: after }),
    payment('open', '10-31T23:03', { status: 'pending', paidAt: null }),
    payment('disputed', '10-31T23:04', { status: 'disputed', amount: '-10.00' }),
    payment('back', '10-31T23:05', { status: 'charged_back', amount: '-10.00' }),
    payment('next', '11-01T00:00', { recordedAt: after, statusRecordedAt: after }),
    payment('won', '11-01T10:00', { relatedTo: 'back' }),
    payment('not-yet', '11-01T10:00', { relatedTo: 'disputed', status: 'pending' }),
  ];
  assert.deepEqual(found(all), {
    ...NONE,
    count: 6,
    pending: 1,
    disputes: ['disputed', 'back'],
    wonAtByDispute: [['back', '2026-11-01T10:00:00.000Z']],
    added: ['new'],
    settled: ['settled'],
  });
});
