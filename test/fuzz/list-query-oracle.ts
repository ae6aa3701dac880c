import { isActiveCurrency } from '../../src/values/currency.ts';

const DAY_MS = 86_400_000;

/** Whether a list request's query is valid, decided without the service's own rules. */
export function isValidListQuery(query: string): boolean {
  const { codes, valid } = queryFaults(query);
  const days = (Date.parse(valid.get('to') ?? '') - Date.parse(valid.get('from') ?? '')) / DAY_MS;
  return codes.size === 0 && !(days > 90);
}

type QueryRules = Record<string, { isValid: (value: string) => boolean; code: string }>;

/** The filters of lists, totals and exports. */
const FILTER_RULES: QueryRules = {
  status: { isValid: (value) => ['pending', 'completed'].includes(value), code: 'invalid_status' },
  currency: { isValid: isActiveCurrency, code: 'invalid_currency' },
  from: { isValid: isDay, code: 'invalid_date' },
  to: { isValid: isDay, code: 'invalid_date' },
  merchantReference: { isValid: isMerchantReference, code: 'invalid_merchant_reference' },
};

/** The codes of the faults of a query with filters and further parameters, and its valid values. */
export function queryFaults(query: string, further: QueryRules = {}) {
  const rules = new Map(Object.entries({ ...FILTER_RULES, ...further }));
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
  for (const [first, last] of [
    ['from', 'to'],
    ['paidFrom', 'paidTo'],
  ] as const)
    if (Date.parse(valid.get(first) ?? '') > Date.parse(valid.get(last) ?? ''))
      codes.add('date_range_inverted');
  return { codes, valid };
}

function isMerchantReference(text: string): boolean {
  return text !== '' && [...text].length <= 255 && !/[\p{Cc}\uFFFD]/u.test(text) && text.isWellFormed();
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const time = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}
