import type { ExportManifest } from '../../client/src/export-manifest.ts';
import { addDays, parseDay } from '../../values/calendar.ts';
import { startOfDayMs } from '../../values/time-zone.ts';
import { type OnProgress, readExport } from '../state/read-export.ts';
import { type Filter, isByPayment, queryOf } from '../state/route.ts';
import { isPaid } from '../state/statuses.ts';
import { type Findings, type Recorded, Review, type Span } from './findings.ts';

export type DaysFilter = Filter & { from: string; to: string };

export type FoundFindings = Findings & { archivedBefore: string | undefined };

export const spanOf = (filter: DaysFilter, zone: string): Span => ({
  isByPayment: isByPayment(filter),
  fromMs: startOfDayMs(zone, parseDay(filter.from) as number),
  beforeMs: startOfDayMs(zone, (parseDay(filter.to) as number) + 1),
});

export async function loadFindings(
  apiKey: string,
  filter: DaysFilter,
  zone: string,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<FoundFindings> {
  // Also reads the day before, because a payment after midnight can repeat one from before midnight.
  const query = { ...queryOf({ ...filter, from: addDays(filter.from, -1) }, zone), recordedAt: true };
  const newReview = () => new Review(spanOf(filter, zone), isPaid);
  let review = newReview();
  let archivedBefore: string | undefined;
  const events = {
    onRestart: () => {
      review = newReview();
    },
    onEnd: (manifest: ExportManifest) => {
      ({ archivedBefore } = manifest);
    },
  };
  for await (const transaction of readExport(apiKey, query, signal, onProgress, events))
    review.add(transaction as Recorded);
  return { ...review.result(), archivedBefore };
}
