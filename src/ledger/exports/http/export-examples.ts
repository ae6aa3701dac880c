import { hash } from 'node:crypto';
import type { Example } from '../../../http/schemas/responses.ts';
import { EXAMPLE_EXPORT_ID, EXAMPLE_NOW_MS, EXAMPLE_TRANSACTIONS } from '../../http/transaction-examples.ts';
import { transactionBody } from '../../http/transaction-schemas.ts';
import { sealChanges, UNSEALED } from '../../seals/seal.ts';
import { EXAMPLE_LAST_ID } from '../../totals/http/totals-examples.ts';
import type { Export, ExportFormat, ExportResult } from '../export.ts';
import { NO_EXPORT_FILTER } from '../export-filter.ts';
import { csvHeader, lineFormatter } from '../export-lines.ts';
import { manifestOf } from '../manifest.ts';

/** The query of the example exports. */
export const EXPORT_EXAMPLE_QUERY = 'currency=USD';

const transactions = EXAMPLE_TRANSACTIONS.filter(({ currencyCode }) => currencyCode === 'USD');

/** Each transaction was recorded by one change. */
const EXAMPLE_SEAL = sealChanges('store-1', UNSEALED, {
  last: undefined,
  changes: EXAMPLE_TRANSACTIONS.map((transaction, index) => ({
    ...{ sequence: index + 1, nonce: 1, previousStatus: null, recordedAtMs: EXAMPLE_NOW_MS },
    transaction,
  })),
  headSequence: EXAMPLE_TRANSACTIONS.length,
}).head.seal;

function textOf(format: ExportFormat): string {
  const lineOf = lineFormatter({ format, spreadsheet: false, filter: NO_EXPORT_FILTER });
  const lines = transactions.map((one) => lineOf(one));
  return (format === 'csv' ? csvHeader(NO_EXPORT_FILTER) : '') + lines.join('');
}

function exported(format: ExportFormat, { isComplete }: { isComplete: boolean }): Export {
  const text = textOf(format);
  const rows = transactions.length;
  const result: ExportResult = {
    rows,
    bytes: Buffer.byteLength(text),
    sha256: hash('sha256', text, 'hex'),
    finishedAtMs: EXAMPLE_NOW_MS,
  };
  return {
    id: EXAMPLE_EXPORT_ID,
    account: 'store-1',
    format,
    spreadsheet: false,
    filter: { ...NO_EXPORT_FILTER, currency: 'USD' },
    created: null,
    asOf: EXAMPLE_TRANSACTIONS.length,
    asOfId: EXAMPLE_LAST_ID,
    seal: EXAMPLE_SEAL,
    totals: [
      {
        day: null,
        currencyCode: 'USD',
        status: 'completed',
        count: rows,
        amountMinor: BigInt(transactions.reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
      },
    ],
    startedAtMs: EXAMPLE_NOW_MS,
    result: isComplete ? result : null,
  };
}

/** The responses to `GET /v1/exports/{id}`. */
export const MANIFEST_EXAMPLES = {
  complete: {
    summary: 'An export that is complete',
    value: manifestOf(exported('csv', { isComplete: true })),
  },
  running: {
    summary: 'An export that is running, or was cut',
    value: manifestOf(exported('csv', { isComplete: false })),
  },
} satisfies Record<string, Example>;

/** The response to EXPORT_EXAMPLE_QUERY as CSV, and the first and the last line of that as NDJSON. */
export const EXPORT_EXAMPLES = {
  csv: { usd: { summary: 'All transactions in one currency', value: textOf('csv') } },
  ndjson: {
    transaction: { summary: 'A line', value: transactionBody(transactions[0] as (typeof transactions)[0]) },
    manifest: {
      summary: 'The last line',
      value: { export: manifestOf(exported('ndjson', { isComplete: true })) },
    },
  },
} satisfies Record<ExportFormat, Record<string, Example>>;
