import { isActiveCurrency } from '../../src/values/currency.ts';

const DAY_MS = 86_400_000;

/** Whether a list request's query is valid, decided without the service's own rules. */
export function isValidListQuery(query: string): boolean {
  const given = [...new URLSearchParams(query)];
  const names = given.map(([name]) => name);
  if (new Set(names).size < names.length) return false;
  if (!given.every(([name, value]) => RULES[name]?.(value))) return false;
  const { from, to } = Object.fromEntries(given);
  if (from === undefined || to === undefined) return true;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return days >= 0 && days <= 90;
}

const RULES: Record<string, (value: string) => boolean> = Object.assign(Object.create(null), {
  status: (value: string) => ['pending', 'completed'].includes(value),
  currency: isActiveCurrency,
  from: isDay,
  to: isDay,
  merchantReference: isMerchantReference,
});

export function isMerchantReference(text: string): boolean {
  return text !== '' && [...text].length <= 255 && !/[\p{Cc}\uFFFD]/u.test(text) && text.isWellFormed();
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const time = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}
