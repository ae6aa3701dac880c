import type { FileOrder } from '../state/file-order.ts';

const sanitized = (text: string) => text.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 64);

/** A file name with the account and the filter. */
export function fileName(account: string, { filter, format, month }: FileOrder): string {
  const { status, currency, merchantReference, from, to } = filter;
  const days = from && to ? `${from}_to_${to}` : from ? `from_${from}` : to ? `until_${to}` : undefined;
  const range = month === undefined ? days : `${month.month}_${month.zone}`;
  const parts = [status, currency, merchantReference, range].filter((part) => part !== undefined);
  const name = [account, 'transactions', ...(parts.length > 0 ? parts : ['all'])].map(sanitized).join('_');
  return `${name}.${format}`;
}
