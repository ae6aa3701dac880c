import { checksOf } from './check.js';

const NOT_STATUSES = [
  'x',
  'Pending',
  'PENDING',
  'COMPLETED',
  ' pending',
  'pending ',
  'pending,completed',
  'pend',
  'complete',
  'pending\0',
  '*',
  '%',
  'null',
  'undefined',
  "pending' OR '1'='1",
];

const NOT_CURRENCIES = [
  'usd',
  'Usd',
  'US',
  'USDT',
  'U$D',
  ' EUR',
  'EUR ',
  'EU',
  'E',
  'ＥＵＲ',
  '978',
  'EUR,USD',
  '*',
  "EUR'--",
];

/** Codes of the right form that are not active: never assigned, or withdrawn long ago. */
const NOT_ACTIVE = ['ABC', 'ZZZ', 'QQQ', 'DEM', 'FRF', 'ITL', 'HRK', 'EEK'];

const CURRENCIES = 'USD EUR GBP JPY CHF KWD BHD CLP ISK SEK INR BRL ZAR AUD XXX XTS'.split(' ');

export default checksOf({ level: 'list', section: 'list' }, [
  {
    id: 'status.invalid',
    rule: 'A status that is not recognized, exactly and in lower case, is 400 invalid_status.',
    run: (t) => t.refused('status', 'invalid_status', NOT_STATUSES),
  },
  {
    id: 'status.accepted',
    rule: 'The statuses pending and completed are recognized.',
    run: (t) => t.accepted([{ status: 'pending' }, { status: 'completed' }]),
  },
  {
    id: 'currency.invalid.form',
    rule: 'A currency that is not three upper-case letters is 400 invalid_currency.',
    run: (t) => t.refused('currency', 'invalid_currency', NOT_CURRENCIES),
  },
  {
    id: 'currency.invalid.inactive',
    rule: 'A code that is not an active currency of ISO 4217 is 400 invalid_currency.',
    run: (t) => t.refused('currency', 'invalid_currency', NOT_ACTIVE),
  },
  {
    id: 'currency.accepted',
    rule: 'Active currencies of ISO 4217 are recognized, even those that the account does not have.',
    run: (t) => t.accepted(CURRENCIES.map((currency) => ({ currency }))),
  },
  {
    id: 'currency.hint',
    requirement: 'SHOULD',
    rule: 'A currency in lower case is refused with the code in upper case as a hint.',
    async run(t) {
      const page = t.status(await t.list({ currency: 'usd' }), 400);
      t.that(page.text.includes('USD'), 'USD in the error', page.text.slice(0, 400), page);
    },
  },
]);
