import type { Command } from 'commander';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { quote } from '../../../values/quote.ts';
import { jsonLinesOption, parsePath } from '../../../values/terminal/options.ts';
import { printManyResults, printResult, progress } from '../../../values/terminal/output.ts';
import type { Check, Verified } from '../../operate/disagreement.ts';
import { verify } from '../../operate/verify/verify.ts';
import { openVerifyReader } from '../../store/open-store.ts';
import { accountOption } from '../identifier-options.ts';
import { loadConfig, readerOf } from '../with-store.ts';
import { comparisonLine, readArchivedChanges, readKeptSeals } from './kept-seals.ts';
import {
  adviceOn,
  countOf,
  disagreementLine,
  notChecked,
  progressLine,
  verifiedLines,
  withAdvice,
} from './verify-report.ts';

interface VerifyOptions {
  account?: string | null;
  requireIndexes?: true;
  against?: string;
  archives?: string;
  json?: true;
}

export function verifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check that everything in the database agrees, also while the service runs')
    .option(...accountOption('only the transactions, totals and keys of this account'))
    .option(
      '--against <file>',
      'also compare the history with a stored output of "transactions seals"',
      parsePath,
    )
    .option(
      '--archives <folder>',
      'the folder of the archived files, from which --against computes the seals of archived changes',
      parsePath,
    )
    .option('--require-indexes', 'exit with status 1 if the indexes could not be compared with their tables')
    .addOption(jsonLinesOption(': each disagreement, then a summary'))
    .action(verifyDatabase);
}

async function verifyDatabase({
  account = null,
  requireIndexes,
  against,
  archives,
  json,
}: VerifyOptions): Promise<void> {
  if (archives !== undefined && against === undefined)
    throw new UsageError('--archives is for the seals of --against: give both.');
  const kept = against === undefined ? undefined : await readKeptSeals(against, account);
  if (account !== null && kept?.has(account) === false)
    throw new CommandFailed(`${against} has no line of the account ${quote(account)}.`);
  const archivedChanges = archives === undefined ? undefined : await readArchivedChanges(archives);
  const reader = readerOf(await openVerifyReader(loadConfig().databaseUrl), 'verify');
  const shown = progress();
  const checks = new Set<Check>();
  let indexesNotChecked: string | undefined;
  let verified: Verified;
  try {
    verified = await verify(reader, {
      account,
      ...(kept !== undefined && { keptSeals: kept, archivedChanges }),
      onSealCompared: async (seal, comparison) => {
        shown.clear();
        await printManyResults(
          json ? JSON.stringify({ kept: { ...seal, comparison } }) : comparisonLine(seal, comparison),
        );
      },
      onDisagreement: async (disagreement) => {
        shown.clear();
        checks.add(disagreement.check);
        await printManyResults(
          json ? JSON.stringify(withAdvice(disagreement)) : disagreementLine(disagreement),
        );
      },
      onProgress: (checked) => shown.show(progressLine(checked)),
      onStorageProgress: (what) => shown.show(what),
      onIndexesNotChecked: (reason) => {
        indexesNotChecked = reason;
      },
    });
  } finally {
    shown.clear();
    archivedChanges?.close();
    await reader.close();
  }
  if (account !== null && isNothing(verified))
    throw new CommandFailed(`There is nothing to verify: the database has no account ${quote(account)}.`);
  if (json) printResult(JSON.stringify({ verified, indexesNotChecked }));
  else printResult(...verifiedLines(verified), ...notChecked(indexesNotChecked), ...adviceOn(checks));
  if (verified.disagreements > 0)
    throw new CommandFailed(`The database has ${countOf(verified.disagreements)}.`);
  if (requireIndexes && (indexesNotChecked !== undefined || verified.indexes === 0))
    throw new CommandFailed(
      'What was checked agrees, but --require-indexes is set, and not every index was compared.',
    );
}

const isNothing = ({ schemaObjects: _, accounts: __, ...counts }: Verified) =>
  Object.values(counts).every((count) => count === 0);
