import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { DAY_MS, dayOf, explainDay, formatDay, parseDay } from '../../../values/calendar.ts';
import { counted } from '../../../values/counted.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { parsePath } from '../../../values/terminal/options.ts';
import { type Progress, printNote, printResult, progress } from '../../../values/terminal/output.ts';
import { NEVER_ARCHIVED_MS } from '../../ledger/archives/archives.ts';
import type { Outstanding } from '../../operate/archive/account-archiver.ts';
import { type ArchiveResult, archiveAccounts } from '../../operate/archive/archive-accounts.ts';
import type { ArchiveOptions } from '../../operate/archive/archive-options.ts';
import { accountsAfter } from '../../operate/verify/verify.ts';
import { openAccountArchiver, openVerifyReader } from '../../store/open-store.ts';
import { commandStamp } from '../command-stamp.ts';
import { accountOption, nothingOf } from '../identifier-options.ts';
import { loadConfig, readerOf, withAdvice, withStoreForLongWork } from '../with-store.ts';
import { openArchiveFolder } from './archive-folder.ts';

export function archiveCommand(program: Command): void {
  program
    .command('archive')
    .description(
      'move old transactions into files: write them, read them again, and then remove them from the database',
    )
    .requiredOption('--before <day>', 'transactions that were created before this UTC day', beforeMsOf)
    .requiredOption('--to <folder>', 'the folder of the files, which is created if missing', parsePath)
    .option(...accountOption('only this account'))
    .addHelpText(
      'after',
      `
Each account gets a CSV file, which "transactions reconcile" and "transactions import" read, with a manifest beside it. Only transactions with
a final status are archived. A service can go on meanwhile. Afterwards, list, totals and exports have what is left; the change feed begins after
the last archived change; and no new transaction is recorded on an archived day. An archive that was interrupted is completed by running
the command again with the same folder.`,
    )
    .action(archive);
}

function beforeMsOf(text: string): number {
  const day = parseDay(text);
  if (day === undefined) throw new UsageError(`--before: ${explainDay(text)}`);
  const latest = dayOf(Date.now() - NEVER_ARCHIVED_MS);
  if (day > latest)
    throw new UsageError(
      `--before is ${text}, and transactions of the last 24 hours are never archived: write ${formatDay(latest)} or an earlier day.`,
    );
  return day * DAY_MS;
}

interface Given {
  before: number;
  to: string;
  account?: string | null;
}

async function archive({ before: beforeMs, to, account = null }: Given): Promise<void> {
  const config = loadConfig();
  const files = await openArchiveFolder(to);
  const shown = progress();
  const archiveOpened = () =>
    withStoreForLongWork(config, async (store) => {
      const reader = readerOf(await openVerifyReader(config.databaseUrl), 'archive');
      await reader.checkSchema();
      const archiver = await openAccountArchiver(config.databaseUrl);
      try {
        return await archiveAll(account, { store, reader, archiver, files, beforeMs }, shown);
      } finally {
        await Promise.all([reader.close(), archiver.end()]);
      }
    });
  const refused = await withAdvice(
    'Run the command again with the same folder: it archives the rest.',
    archiveOpened,
    () => {
      shown.clear();
      files.discard();
    },
  );
  if (refused > 0) throw new CommandFailed(`${counted(refused, 'account is', 'accounts are')} not archived.`);
}

async function archiveAll(
  account: string | null,
  options: Omit<ArchiveOptions, 'stamp' | 'monotonicMs' | 'sleep' | 'onProgress'>,
  { show, clear }: Progress,
): Promise<number> {
  const { reader } = options;
  if (account !== null && (await reader.readHead(account)).head === null) throw nothingOf(account);
  const results = archiveAccounts(account === null ? accountsAfter(reader, '') : [account], {
    ...options,
    stamp: commandStamp,
    monotonicMs: () => performance.now(),
    sleep: (milliseconds) => delay(milliseconds),
    onProgress: (step, of, transactions) =>
      show(`${VERBS[step]} ${counted(transactions, 'transaction')} of ${of}`),
  });
  let found = 0;
  let refused = 0;
  try {
    for await (const result of results) {
      clear();
      found++;
      if (result.outcome === 'outstanding') refused++;
      report(result);
    }
  } finally {
    clear();
  }
  if (found === 0) printNote('There is nothing to archive.');
  return refused;
}

const VERBS = { writing: 'Wrote', removing: 'Removed' } as const;

function report(result: ArchiveResult): void {
  const { account } = result;
  if (result.outcome === 'outstanding')
    printNote(...result.outstanding.map((endpoint) => explainOutstanding(account, endpoint)));
  else
    printResult(
      `${account}: ${counted(result.transactions, 'transaction')} moved to ${result.files.join(' and ')}`,
    );
}

function explainOutstanding(
  account: string,
  { webhookId, acknowledgedSequence, failures, isDisabled }: Outstanding,
): string {
  const missing =
    failures > 0
      ? `${counted(failures, 'delivery', 'deliveries')} to the webhook ${webhookId} failed`
      : `the webhook ${webhookId} has received changes only up to ${acknowledgedSequence}`;
  const advice = isDisabled
    ? 'It is disabled: enable it, or delete it.'
    : 'Wait until everything is delivered, or delete the webhook.';
  return `The account ${account} is not archived: ${missing}. ${advice}`;
}
