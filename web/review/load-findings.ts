import { sendSettings } from '../../client/src/client-options.ts';
import { Export } from '../../client/src/export.ts';
import { exportedTransactions } from '../../client/src/export-items.ts';
import { addDays, dayNumber } from '../../src/values/day-text.ts';
import { startOfDayMs } from '../../src/values/time-zone.ts';
import { type Filter, isByPayment, queryOf } from '../state/route.ts';
import { isPaid } from '../state/statuses.ts';
import { type Findings, type Recorded, Review, type Span } from './findings.ts';

/** A filter with both days. */
export type DaysFilter = Filter & { from: string; to: string };

/** The times of some days in a time zone. */
export const spanOf = (filter: DaysFilter, zone: string): Span => ({
  isByPayment: isByPayment(filter),
  fromMs: startOfDayMs(zone, dayNumber(filter.from) as number),
  beforeMs: startOfDayMs(zone, (dayNumber(filter.to) as number) + 1),
});

const MAX_RETRIES = 4;
const REPORT_MS = 150;

/** Reads the transactions of some days, and of the day before them, in one export, which is checked against its manifest. */
export async function loadFindings(
  apiKey: string,
  filter: DaysFilter,
  zone: string,
  signal: AbortSignal,
  onProgress: (count: number, all: number | null) => void,
): Promise<Findings> {
  const query = {
    ...queryOf({ ...filter, from: addDays(filter.from, -1) }, zone),
    format: 'ndjson',
    recordedAt: true,
  } as const;
  const settings = sendSettings({ url: location.origin, apiKey, maxRetries: MAX_RETRIES });
  const exported = new Export(settings, '/v1', query, { signal }, exportedTransactions());
  const review = new Review(spanOf(filter, zone), isPaid);
  let reportedAtMs = 0;
  for await (const transaction of exported) {
    review.add(transaction as Recorded);
    if (Date.now() - reportedAtMs < REPORT_MS) continue;
    reportedAtMs = Date.now();
    onProgress(exported.rows, exported.expectedRows);
  }
  return review.result();
}
