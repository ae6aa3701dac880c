import { DAY_MS } from '../../values/calendar.ts';
import { type AccountTransaction, NO_OPTIONAL_FIELDS } from '../ledger/transaction.ts';

const SAMPLE_DAYS = 120;
export const SAMPLES_A_DAY = 5;
export const SAMPLES = SAMPLE_DAYS * SAMPLES_A_DAY;

export const demoSamples = (account: string, nowMs: number): AccountTransaction[] =>
  Array.from({ length: SAMPLES }, (_, index) => sample(account, index, nowMs)).sort(
    (a, b) => a.createdAtMs - b.createdAtMs,
  );

const PRICES_MINOR = [499, 1250, 1999, 2450, 4900, 7990, 12_000, 34_950];
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'USD', 'GBP'];
const CUSTOMERS = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Katherine Johnson',
  'Konrad Zuse',
  'Mary Jackson',
];
const METHODS = ['card', 'card', 'wallet', 'transfer'];
const STORY_EVERY = 20;
const PAYMENT_PLACE = 5;
const ATTEMPT_AGE_MS = 240_000;

/** `index` counts from the newest sample. Multiples of primes make the values look random. */
export function sample(account: string, index: number, nowMs: number): AccountTransaction {
  const spacingMs = DAY_MS / SAMPLES_A_DAY;
  const createdAtMs = nowMs - Math.floor((index + ((index * 37) % 100) / 100) * spacingMs) - 60_000;
  const pending = index < 3 || (index * 31) % 23 === 0;
  const serial = SAMPLES - index;
  const details = JSON.stringify({
    customer: CUSTOMERS[(index * 11) % CUSTOMERS.length],
    last4: String(1000 + ((index * 7919) % 9000)),
    method: METHODS[(index * 5) % METHODS.length],
  });
  const payment: AccountTransaction = {
    ...NO_OPTIONAL_FIELDS,
    account,
    reference: `tx_${String(serial).padStart(6, '0')}`,
    merchantReference: index % 17 === 0 ? null : `order-${1000 + serial}`,
    status: pending ? 'pending' : 'completed',
    amountMinor: PRICES_MINOR[(index * 29) % PRICES_MINOR.length] as number,
    currencyCode: CURRENCIES[(index * 13) % CURRENCIES.length] as string,
    paidAtMs: pending ? null : createdAtMs + 45_000,
    createdAtMs,
    details,
  };
  const place = index % STORY_EVERY;
  if (pending || (place !== 0 && place !== PAYMENT_PLACE + 1)) return payment;
  const paid = sample(account, index + (place === 0 ? PAYMENT_PLACE : -1), nowMs);
  if (paid.status === 'pending') return payment;
  return place === 0 ? refundOf(payment, paid) : attemptOf(payment, paid);
}

function attemptOf({ reference }: AccountTransaction, paid: AccountTransaction): AccountTransaction {
  const createdAtMs = paid.createdAtMs - ATTEMPT_AGE_MS;
  return { ...paid, reference, status: 'pending', paidAtMs: null, createdAtMs };
}

function refundOf(own: AccountTransaction, paid: AccountTransaction): AccountTransaction {
  const { merchantReference, currencyCode, details, reference } = paid;
  const amountMinor = -Math.round(paid.amountMinor / (paid.amountMinor % 2 === 0 ? 2 : 1));
  return { ...own, merchantReference, currencyCode, details, amountMinor, relatedTo: reference };
}
