import type { Disagreement, Verified } from '../../operate/verify/disagreement.ts';
import { quote } from '../../values/quote.ts';
import { number } from '../terminal/import-report.ts';

export const counted = (count: number, one: string, many = `${one}s`) =>
  `${number(count)} ${count === 1 ? one : many}`;

export const countOf = (disagreements: number) =>
  disagreements === 0 ? 'no disagreement' : counted(disagreements, 'disagreement');

export const progressLine = ({ transactions, indexEntries, accounts, disagreements }: Readonly<Verified>) =>
  `Checking: ${counted(accounts, 'account')}, ${counted(transactions, 'transaction')}, ${counted(indexEntries, 'index entry', 'index entries')}, ${countOf(disagreements)} so far`;

/** A disagreement with its place, and what is there and should be there. */
export function disagreementLine(disagreement: Disagreement): string {
  const { check, account, place, found } = disagreement;
  const owner = account === null ? '' : `account ${quote(account)}, `;
  const what =
    'expected' in disagreement
      ? `: there is ${found}; there should be ${disagreement.expected}`
      : ` says ${found}; ${disagreement.contradicts}`;
  return `${check}: ${owner}${place}${what}`;
}

/** What was checked, in lines. */
export function summaryOf(verified: Verified): string[] {
  const { unnumbered } = verified;
  const counts = [
    counted(verified.schemaObjects, 'part of the schema', 'parts of the schema'),
    counted(verified.accounts, 'account'),
    counted(verified.transactions, 'transaction'),
    counted(verified.changes, 'sequence number'),
    counted(verified.dailyTotals, 'daily total'),
    counted(verified.monthlyTotals, 'monthly total'),
    counted(verified.indexEntries, 'index entry', 'index entries'),
    counted(verified.apiKeys, 'key'),
    counted(verified.idempotencyKeys, 'idempotency key'),
    counted(verified.exports, 'export'),
    counted(verified.webhooks, 'webhook'),
    counted(verified.webhookFailures, 'webhook failure'),
  ];
  return [
    `Checked ${counts.join(', ')}: ${countOf(verified.disagreements)}.`,
    ...(unnumbered === 0
      ? []
      : [
          `${counted(unnumbered, 'transaction has', 'transactions have')} no sequence number yet: totals leave out what the service has not numbered.`,
        ]),
  ];
}
