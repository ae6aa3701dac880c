import type { Filter } from '../state/route.ts';

const sanitized = (text: string) => text.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 64);

/** A file name with the filter, marked if transactions are missing. */
export function fileName(
  { status, currency, merchantReference, from, to }: Filter,
  isComplete: boolean,
): string {
  const range = from && to ? `${from}_to_${to}` : from ? `from_${from}` : to ? `until_${to}` : undefined;
  const filter = [status, currency, merchantReference, range]
    .filter((part) => part !== undefined)
    .map(sanitized);
  const parts = [
    'transactions',
    ...(filter.length > 0 ? filter : ['all']),
    ...(isComplete ? [] : ['INCOMPLETE']),
  ];
  return `${parts.join('_')}.csv`;
}
