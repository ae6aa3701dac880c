import type { Filter } from '../state/route.ts';

const sanitized = (text: string) => text.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 64);

/** A file name with the filter. */
export function fileName({ status, currency, merchantReference, from, to }: Filter): string {
  const range = from && to ? `${from}_to_${to}` : from ? `from_${from}` : to ? `until_${to}` : undefined;
  const filter = [status, currency, merchantReference, range]
    .filter((part) => part !== undefined)
    .map(sanitized);
  return `transactions_${filter.length > 0 ? filter.join('_') : 'all'}.csv`;
}
