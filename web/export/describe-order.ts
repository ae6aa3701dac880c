import type { FileOrder } from '../state/file-order.ts';
import { describeFilter } from '../state/route.ts';
import { capital } from '../text/status.ts';

/** What a file has, in words: "Completed, EUR, June 2026 in Europe/Berlin". */
export function describeOrder({ filter, month }: FileOrder): string {
  const { from: _, to: __, ...rest } = filter;
  const described =
    month === undefined
      ? describeFilter(filter)
      : [describeFilter(rest), month.label].filter(Boolean).join(', ');
  return described === '' ? 'All transactions' : capital(described);
}
