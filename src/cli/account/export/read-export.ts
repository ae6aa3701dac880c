import { setTimeout as delay } from 'node:timers/promises';
import { type Export, TransactionsError } from '../../../../client/src/index.ts';
import { counted } from '../../../values/counted.ts';

/** How long an export that was cut is resumed again and again without a further transaction. */
const MAX_OUTAGE_MS = 300_000;
const PAUSE_MS = 2000;

/**
 * The items of an export, through outages of the service. Until it has begun, errors are thrown at once, because the service
 * may not be running.
 *
 * `note` is called with a line when the export is cut, and when it continues.
 */
export async function* readExport<Item>(
  exported: Export<Item>,
  signal: AbortSignal | undefined,
  note: (line: string) => void,
): AsyncGenerator<Item, void, undefined> {
  let cutAtMs: number | undefined;
  for (;;) {
    try {
      for await (const item of exported) {
        if (cutAtMs !== undefined) note('The export continues.');
        cutAtMs = undefined;
        yield item;
      }
      return;
    } catch (error) {
      if (!(error instanceof TransactionsError) || !error.retryable || exported.id === null) throw error;
      if (cutAtMs === undefined) {
        cutAtMs = performance.now();
        note(
          `The export was cut after ${counted(exported.rows, 'transaction')}. Trying again until the service answers.`,
        );
      }
      if (performance.now() - cutAtMs > MAX_OUTAGE_MS) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}
