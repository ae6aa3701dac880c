import type { FileOrder } from '../state/file-order.ts';
import { EQUALITIES } from '../state/filters.ts';
import { isByPayment } from '../state/route.ts';
import { UTC } from '../text/time.ts';

const sanitized = (text: string) => text.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 64);

export function fileName(account: string, { filter, zone, format }: FileOrder): string {
  const { from, to } = filter;
  const days = from && to ? `${from}_to_${to}` : from ? `from_${from}` : to ? `until_${to}` : undefined;
  const daysZone = days && zone !== UTC ? zone : undefined;
  const paid = isByPayment(filter) ? 'paid' : undefined;
  const parts = [...EQUALITIES.map((name) => filter[name]), paid, days, daysZone].filter(
    (part) => part !== undefined,
  );
  const name = [account, 'transactions', ...(parts.length > 0 ? parts : ['all'])].map(sanitized).join('_');
  return `${name}.${format}`;
}
