import { setTimeout as delay } from 'node:timers/promises';
import { TransactionsClient } from '../../client/src/index.ts';

const REQUEST_MS = 5000;
/** The check begins after this many recordings. */
const UNDER_WAY = 200;
const PAUSE_AFTER_FAILURE_MS = 20;

export interface Recorded {
  acknowledged: number;
  /** Requests without a response, or with a status other than 200 and 201. All were repeated. */
  failed: number;
  /** The longest time between two acknowledgements. */
  longestGapMs: number;
}

/**
 * Records one transaction after another until it is stopped. Then it compares the acknowledged ones with the
 * list. A failed request is repeated, as a platform would do.
 */
export function startRecorder(
  url: string,
  {
    account,
    key,
    operatorUrl,
    operatorKey,
  }: { account: string; key: string; operatorUrl: string; operatorKey: string },
): { underWay: Promise<void>; stop(): Promise<Recorded> } {
  const createdAt = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
  const acknowledged: string[] = [];
  const { promise: underWay, resolve: begun } = Promise.withResolvers<void>();
  let failed = 0;
  let longestGapMs = 0;
  let isStopping = false;
  const record = async () => {
    let lastMs = performance.now();
    while (!isStopping) {
      const reference = `upgrade_${createdAt.replaceAll(/\D/g, '')}_${acknowledged.length}`;
      if (!(await isRecorded(`${operatorUrl}/v1/accounts/${account}/transactions/${reference}`))) {
        failed += 1;
        await delay(PAUSE_AFTER_FAILURE_MS);
        continue;
      }
      acknowledged.push(reference);
      if (acknowledged.length === UNDER_WAY) begun();
      longestGapMs = Math.max(longestGapMs, performance.now() - lastMs);
      lastMs = performance.now();
    }
  };
  const isRecorded = async (address: string) => {
    try {
      const { ok } = await fetch(address, {
        method: 'PUT',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'pending', amount: '12.50', currencyCode: 'EUR', createdAt }),
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      return ok;
    } catch {
      return false;
    }
  };
  const ended = record();
  return {
    underWay,
    async stop() {
      isStopping = true;
      await ended;
      const listed = new Map<string, number>();
      for await (const { reference } of new TransactionsClient({ url, apiKey: key }).transactions.list())
        listed.set(reference, (listed.get(reference) ?? 0) + 1);
      const wrong = acknowledged.filter((reference) => listed.get(reference) !== 1);
      if (wrong.length > 0)
        throw new Error(`acknowledged, but not listed exactly once: ${wrong.slice(0, 5)}`);
      return { acknowledged: acknowledged.length, failed, longestGapMs };
    },
  };
}

export const describeRecorded = ({ acknowledged, failed, longestGapMs }: Recorded): string =>
  `${acknowledged} acknowledged recordings, all listed once; ${failed} requests failed and were repeated; the longest gap was ${(longestGapMs / 1000).toFixed(1)} s`;
