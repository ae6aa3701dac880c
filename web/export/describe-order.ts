import type { FileOrder } from '../state/file-order.ts';
import { describeFilter } from '../state/route.ts';
import { capital } from '../text/status.ts';

/** What a file has, in words: "Completed, EUR, 2026-06-01 to 2026-06-30 (Europe/Berlin)". */
export const describeOrder = ({ filter, zone }: FileOrder): string =>
  capital(describeFilter(filter, zone)) || 'All transactions';
