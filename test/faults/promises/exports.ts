// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const EXPORTS: readonly Promised[] = [
  {
    promise: 'An export shows the account up to one change',
    in: ['SPEC.md: Exports', 'SPEC.md: `GET /v1/transactions.csv` and `GET /v1/transactions.ndjson`'],
    faults: [
      {
        name: 'a later payment is shown',
        file: 'src/ledger/changes/numbered-changes.ts',
        from: 'finalSequence !== null && finalSequence <= upTo',
        to: 'finalSequence !== null',
        foundBy: {
          file: 'src/ledger/exports/transaction-up-to.test.ts',
          test: 'a transaction is shown as it was at a number',
        },
      },
      {
        name: 'a later payment is shown, during recordings',
        error: 'response destroyed',
        file: 'src/ledger/changes/numbered-changes.ts',
        from: 'finalSequence !== null && finalSequence <= upTo',
        to: 'finalSequence !== null',
        foundBy: {
          file: 'test/http/exports-as-of.test.ts',
          test: '200: exports during recordings and completions are as the account was at their number',
        },
      },
      {
        name: 'a later payment is added up, by days of payment',
        file: 'src/ledger/totals/sqlite/sum-listed.ts',
        from: 'AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf',
        to: 'AND paid_at_ms < $paidBeforeMs',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'sum what has a merchantReference, or was paid on some days, as of any number, with every other filter',
        },
      },
    ],
  },
  {
    promise: 'An export is complete only if it agrees with the totals',
    in: ['SPEC.md: `GET /v1/exports/{id}`'],
    faults: [
      {
        name: 'it is not compared',
        file: 'src/ledger/exports/run-export.ts',
        from: 'if (differences.length > 0)',
        to: 'if (differences.length > 1000)',
        foundBy: {
          file: 'test/http/exports-cut.test.ts',
          test: 'if it differs, and the caller has its id even before the first byte',
        },
      },
      {
        name: 'its manifest is kept for ever',
        file: 'src/ledger/exports/start-export.ts',
        from: 'Math.abs(nowMs - found.startedAtMs) < EXPORT_LIFETIME_MS',
        to: 'nowMs > 0',
        foundBy: {
          file: 'test/http/200-exports.test.ts',
          test: '404: the export of another account, an unknown one, and one that began 24 hours ago',
        },
      },
    ],
  },
  {
    promise: 'The parts of an export that was cut and resumed are, joined, the same bytes',
    in: [],
    faults: [
      {
        name: 'the hash of a part begins with the part before',
        file: 'src/ledger/exports/export-bytes.ts',
        from: '    this.take();\n    this.#ended.push',
        to: '    this.#ended.push',
        foundBy: {
          file: 'test/http/200-exports-resumed.test.ts',
          test: 'joins to the same bytes, and its manifest has the parts',
        },
      },
    ],
  },
  {
    promise: 'A response that is cut never looks whole',
    in: [],
    faults: [
      {
        name: 'a failed export ends like a whole one',
        file: 'src/ledger/exports/http/send-export.ts',
        from: "    response.cut('failed');",
        to: "    await response.end('').catch(() => {});",
        foundBy: {
          file: 'test/http/exports-cut.test.ts',
          test: 'if the store fails, at any page, or does not store that it is complete',
        },
      },
      {
        name: 'a revoked key gets the rest',
        file: 'src/keys/authenticate.ts',
        from: 'revokedAtMs: end?.revokedAtMs ?? null',
        to: 'revokedAtMs: null',
        foundBy: {
          file: 'test/http/exports-cut.test.ts',
          test: 'if its key is revoked, or the service stops, while it is sent',
        },
      },
    ],
  },
  {
    promise: 'A spreadsheet runs no text of a payment as a formula',
    in: [],
    faults: [
      {
        name: 'a sign after a separator is left',
        error: 'Property failed',
        file: 'src/values/csv-cell.ts',
        from: '(?<=(?:^|[,;|\\t\\r\\n])[\\s"]*)',
        to: '(?<=^[\\s"]*)',
        foundBy: {
          file: 'src/values/csv-cell.test.ts',
          test: 'no cell is a formula, whatever separator a spreadsheet splits the line at',
        },
      },
    ],
  },
];
