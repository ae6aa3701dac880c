import { isActiveCurrency } from '../../values/currency.ts';

const DAY_MS = 86_400_000;

type QueryRules = Readonly<Record<string, { isValid: (value: string) => boolean; code: string }>>;

const isOneOf =
  (...values: string[]) =>
  (value: string) =>
    values.includes(value);
const isWhole = (least: number, most: number) => (value: string) =>
  /^(0|[1-9]\d*)$/.test(value) && BigInt(value) >= BigInt(least) && BigInt(value) <= BigInt(most);
const DAY = { isValid: isDay, code: 'invalid_date' };

const FILTERS: QueryRules = {
  status: { isValid: isOneOf('pending', 'completed'), code: 'invalid_status' },
  currency: { isValid: isActiveCurrency, code: 'invalid_currency' },
  from: DAY,
  to: DAY,
  merchantReference: { isValid: isMerchantReference, code: 'invalid_merchant_reference' },
};

/** The parameters of the requests whose queries are checked. */
const RULES: Readonly<Record<string, QueryRules>> = {
  '/v1/transactions': FILTERS,
  '/v1/transactions.ndjson': FILTERS,
  '/v1/transactions.csv': {
    ...FILTERS,
    spreadsheet: { isValid: isOneOf('true', 'false'), code: 'invalid_spreadsheet' },
  },
  '/v1/totals': {
    ...FILTERS,
    timeZone: { isValid: isOneOf('Europe/Berlin', 'UTC'), code: 'invalid_time_zone' },
    paidFrom: DAY,
    paidTo: DAY,
    by: { isValid: isOneOf('day', 'month'), code: 'invalid_by' },
  },
  '/v1/changes': {
    after: { isValid: isWhole(0, Number.MAX_SAFE_INTEGER), code: 'invalid_sequence' },
    limit: { isValid: isWhole(1, 1000), code: 'invalid_limit' },
    wait: { isValid: isWhole(0, 30), code: 'invalid_wait' },
  },
};

/** The codes of the faults of a query, decided without the service's own rules; undefined for paths that are not checked. */
export function faultsOf(path: string, query: string): Set<string> | undefined {
  if (RULES[path] === undefined) return undefined;
  const rules = new Map(Object.entries(RULES[path]));
  const given = [...new URLSearchParams(query)];
  const codes = new Set<string>();
  const valid = new Map<string, string>();
  for (const [name, value] of given) {
    const rule = rules.get(name);
    if (rule === undefined) codes.add('unknown_parameter');
    else if (given.filter(([other]) => other === name).length > 1) codes.add('duplicate_parameter');
    else if (rule.isValid(value)) valid.set(name, value);
    else codes.add(rule.code);
  }
  const timeOf = (name: string) => Date.parse(valid.get(name) ?? '');
  for (const [first, last] of [
    ['from', 'to'],
    ['paidFrom', 'paidTo'],
  ] as const)
    if (timeOf(first) > timeOf(last)) codes.add('date_range_inverted');
  if (path === '/v1/transactions' && timeOf('to') - timeOf('from') > 90 * DAY_MS)
    codes.add('date_range_too_long');
  if (valid.has('merchantReference') && valid.has('by')) codes.add('invalid_by');
  return codes;
}

function isMerchantReference(text: string): boolean {
  return text !== '' && [...text].length <= 255 && !/[\p{Cc}\uFFFD]/u.test(text) && text.isWellFormed();
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const time = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}
