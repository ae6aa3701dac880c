import { counted } from '../../../values/counted.ts';
import { quote } from '../../../values/quote.ts';
import { type Check, type Disagreement, VERIFIED, type Verified } from '../../operate/disagreement.ts';

export const countOf = (disagreements: number) =>
  disagreements === 0 ? 'no disagreement' : counted(disagreements, 'disagreement');

export const progressLine = ({ transactions, accounts, disagreements }: Readonly<Verified>) =>
  `Checking: ${counted(accounts, 'account')}, ${counted(transactions, 'transaction')}, ${countOf(disagreements)} so far`;

export function disagreementLine(disagreement: Disagreement): string {
  const { check, account, place, found } = disagreement;
  const owner = account === null ? '' : `account ${quote(account)}, `;
  const what =
    'expected' in disagreement
      ? `: found ${found}; expected ${disagreement.expected}`
      : ` says ${found}; ${disagreement.contradicts}`;
  return `${check}: ${owner}${place}${what}`;
}

export function verifiedLines(verified: Verified): string[] {
  const counts = Object.entries(VERIFIED).map(([name, [one, several]]) =>
    counted(verified[name as keyof typeof VERIFIED], one, several),
  );
  const unsealed = verified.changes - verified.sealedChanges;
  return [
    `Checked ${counts.join(', ')}: ${countOf(verified.disagreements)}.`,
    ...(unsealed > 0 ? [unsealedLine(unsealed)] : []),
  ];
}

const unsealedLine = (unsealed: number) =>
  `Not sealed yet: ${counted(unsealed, 'change')}. If somebody altered such a change, verify does not notice it. A running service seals changes some seconds after they were recorded.`;

const ADVICE: Readonly<Record<Check, string>> = {
  schema: 'make what is missing with the statement of its migration, or restore a backup.',
  copy: 'run "transactions copy" again until it ends. Until then, no service can use the database.',
  erasure: 'run "transactions erase" for the account again until it ends. Until then, the account is closed.',
  pages: 'check the disk and the memory of the machine, and restore a backup.',
  indexes:
    'keep a copy of the database, run REINDEX with the name of the index (on PostgreSQL, REINDEX INDEX CONCURRENTLY), and verify again: other lines can follow from these.',
  rows: 'compare the transaction with a backup or an export, and take it from the backup: docs/backup.md, "A single transaction from a backup".',
  numbers:
    'repair the indexes first, if lines begin with "indexes:". Then take the transaction from a backup (docs/backup.md, "A single transaction from a backup"), or restore the whole backup.',
  seals:
    'somebody has changed the row with SQL, or the disk has. Take the transaction from a backup or an export (docs/backup.md, "A single transaction from a backup"), and find out who: docs/auditing.md. If the account was erased, or the database was restored from a backup, after its seals were kept, remove these lines from the file.',
  totals:
    'compare the transactions of the day with a backup or an export. Only if they are right, make the totals of the account again from them: docs/backup.md, "If it finds something".',
  keys: 'revoke the key and create another one. Delete a faulty idempotency key or cursor secret.',
  exports: 'delete the row, and export again.',
  audit: 'keep a copy of the database, and look for who changed it with SQL.',
  webhooks: 'delete the webhook and create it again. Delete a failure, lease or instance by its row.',
};

export const withAdvice = (disagreement: Disagreement) => ({
  disagreement,
  advice: ADVICE[disagreement.check],
});

export const adviceOn = (checks: Iterable<Check>): string[] =>
  [...new Set(checks)].map((check) => `To do for ${check}: ${ADVICE[check]}`);

export const notChecked = (reason: string | undefined): string[] =>
  reason === undefined ? [] : [`The indexes were not compared with their tables: ${reason}`];
