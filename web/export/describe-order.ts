import type { FileOrder } from '../state/file-order.ts';
import { describeDays, describeFilter, isByPayment } from '../state/route.ts';
import { texts } from '../text/language.ts';
import { capital } from '../text/status.ts';

export function describeOrder({ filter, zone }: FileOrder): string {
  const { from, to, by: _, ...others } = filter;
  const days = describeDays({ ...(from && { from }), ...(to && { to }) }, zone);
  const ofDays = isByPayment(filter) ? texts.$paidDays : texts.$createdDays;
  const parts = [describeFilter(others, zone), days && ofDays(days)];
  return capital(parts.filter(Boolean).join(', ')) || texts.$allTransactions;
}
