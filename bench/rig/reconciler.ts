import { Readable } from 'node:stream';
import type { Transaction } from '../../client/src/index.ts';
import { runReconciliation } from '../../src/cli/account/reconcile/run-reconciliation.ts';
import { CommandFailed } from '../../src/values/failure.ts';
import { residentMb } from './process-use.ts';

/*
 * Reconciles a file of about N lines with as many transactions, N being the argument, and prints the seconds that it took and the
 * peak of its memory. On either side one in a thousand is missing, and one in a thousand differs. Some share a
 * merchantReference, and the lines are not in the order of the transactions.
 */

const rows = Number(process.argv[2]);
const START_MS = Date.UTC(2026, 0, 1);
/** Coprime to powers of ten, so that it visits every row. */
const STRIDE = 7919;

function transactionAt(index: number): Transaction {
  const createdAtMs = START_MS - index * 1000;
  return {
    reference: `tx_${String(index).padStart(10, '0')}`,
    merchantReference: `order-${index - (index % 50 === 0 ? 10 : 0)}`,
    status: 'completed',
    amount: `${index % 9000}.${String(index % 100).padStart(2, '0')}`,
    currencyCode: index % 3 === 0 ? 'GBP' : 'EUR',
    paidAt: new Date(createdAtMs + 5000).toISOString(),
    createdAt: new Date(createdAtMs).toISOString(),
  };
}

function* file(): Generator<Buffer> {
  let text = 'merchantReference;reference;amount;currencyCode;paidAt\n';
  for (let row = 0; row < rows; row++) {
    const index = (row * STRIDE) % rows;
    const { merchantReference, reference, amount, currencyCode, paidAt } = transactionAt(index);
    if (index % 1000 === 1) continue;
    text += `${merchantReference};${reference};${index % 1000 === 2 ? '0.01' : amount};${currencyCode};${paidAt}\n`;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

async function* transactions(): AsyncGenerator<Transaction> {
  for (let index = 0; index < rows; index++) if (index % 1000 !== 3) yield transactionAt(index);
}

const startedAtMs = performance.now();
const outcome: unknown = await runReconciliation({
  file: 'generated',
  input: Readable.from(file()),
  key: 'merchantReference',
  mappings: [],
  decimalComma: false,
  format: 'json',
  transactions,
  explain: (error) => error,
}).catch((error) => error);
// There are differences, so the command fails with its summary.
if (!(outcome instanceof CommandFailed) || !outcome.message.startsWith('Compared ')) throw outcome;
const seconds = (performance.now() - startedAtMs) / 1000;
process.stderr.write(`${JSON.stringify({ seconds, peakMb: residentMb(process.pid, 'VmHWM') })}\n`);
