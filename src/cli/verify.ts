import type { Command } from 'commander';
import { quote } from '../core/quote.ts';
import { StoreRefused } from '../core/store.ts';
import { explainIdentifier, isIdentifier } from '../core/transaction.ts';
import type { Disagreement, Verified } from '../core/verify/disagreement.ts';
import { verify } from '../core/verify/verify.ts';
import { StorageDamaged, type VerifyReader } from '../core/verify/verify-reader.ts';
import { openVerifyReader } from '../store/open-store.ts';
import { CommandFailed, UsageError } from './failure.ts';
import { number } from './import-report.ts';
import { loadConfig } from './load-config.ts';
import { printManyResults, printResult, progress } from './output.ts';

interface VerifyOptions {
  account?: string;
  json?: true;
}

export function verifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check that everything in the database agrees, also while the service runs')
    .option('--account <id>', 'only the transactions, totals and keys of this account')
    .option('--json', 'print a JSON object on each line: each disagreement, and at the end what was checked')
    .action(verifyDatabase);
}

async function verifyDatabase({ account, json }: VerifyOptions): Promise<void> {
  if (account !== undefined && !isIdentifier(account))
    throw new UsageError(`--account ${explainIdentifier(account)}.`);
  const reader = await openReader(loadConfig().databaseUrl);
  const shown = progress();
  let verified: Verified;
  try {
    verified = await verify(reader, {
      account: account ?? null,
      onDisagreement: async (disagreement) => {
        shown.clear();
        await printManyResults(json ? JSON.stringify({ disagreement }) : lineOf(disagreement));
      },
      onProgress: ({ transactions, indexEntries, accounts, disagreements }) =>
        shown.show(
          `Checking: ${counted(accounts, 'account')}, ${counted(transactions, 'transaction')}, ${counted(indexEntries, 'index entry', 'index entries')}, ${countOf(disagreements)} so far ...`,
        ),
    });
  } catch (error) {
    if (!(error instanceof StorageDamaged)) throw error;
    throw new CommandFailed(`The database can't read its own data: ${error.message}.`);
  } finally {
    shown.clear();
    await reader.close();
  }
  if (account !== undefined && isNothing(verified))
    throw new CommandFailed(`There is nothing to verify: the database has no account ${quote(account)}.`);
  if (json) printResult(JSON.stringify({ verified }));
  else printResult(...summaryOf(verified));
  if (verified.disagreements > 0)
    throw new CommandFailed(`The database has ${countOf(verified.disagreements)}.`);
}

async function openReader(databaseUrl: string): Promise<VerifyReader> {
  try {
    const opened = await openVerifyReader(databaseUrl);
    if ('reader' in opened) return opened.reader;
    if (opened.isEmpty) throw new CommandFailed('There is nothing to verify: the database is empty.');
    throw new CommandFailed(
      `The database needs the migrations ${opened.pending.join(', ')}. Run "transactions migrate" first.`,
    );
  } catch (error) {
    throw error instanceof StoreRefused ? new CommandFailed(error.message) : error;
  }
}

/** Whether nothing of the accounts was found, and no disagreement. */
const isNothing = ({ schemaObjects: _, accounts: __, ...counts }: Verified) =>
  Object.values(counts).every((count) => count === 0);

const counted = (count: number, one: string, many = `${one}s`) =>
  `${number(count)} ${count === 1 ? one : many}`;

const countOf = (disagreements: number) =>
  disagreements === 0 ? 'no disagreement' : counted(disagreements, 'disagreement');

function lineOf(disagreement: Disagreement): string {
  const { check, account, place, found } = disagreement;
  const owner = account === null ? '' : `account ${quote(account)}, `;
  const what =
    'expected' in disagreement
      ? `: there is ${found}; there should be ${disagreement.expected}`
      : ` says ${found}; ${disagreement.contradicts}`;
  return `${check}: ${owner}${place}${what}`;
}

function summaryOf(verified: Verified): string[] {
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
