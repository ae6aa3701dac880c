import type { Filter } from '../state/route.ts';

const harmless = (text: string) => text.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 64);

/** A file's name that tells the filter, and whether transactions are missing. */
export function fileName(
  { status, currency, merchantReference, from, to }: Filter,
  isComplete: boolean,
): string {
  const range = from && to ? `${from}_to_${to}` : from ? `from_${from}` : to ? `until_${to}` : undefined;
  const filter = [status, currency, merchantReference, range]
    .filter((part) => part !== undefined)
    .map(harmless);
  const parts = [
    'transactions',
    ...(filter.length > 0 ? filter : ['all']),
    ...(isComplete ? [] : ['INCOMPLETE']),
  ];
  return `${parts.join('_')}.csv`;
}
