import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { counted } from '../../../values/counted.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { printNote, printResult, progress } from '../../../values/terminal/output.ts';
import { readFirstLine } from '../../../values/terminal/read-input.ts';
import { eraseAccount } from '../../operate/erase/erase-account.ts';
import { isEmbedded, openAccountEraser } from '../../store/open-store.ts';
import { commandStamp } from '../command-stamp.ts';
import { accountOption, nothingOf } from '../identifier-options.ts';
import { loadConfig, withAdvice, withStoreForLongWork } from '../with-store.ts';

export function eraseCommand(program: Command): void {
  program
    .command('erase')
    .description(
      'remove everything of an account for good: transactions, changes, totals, keys, webhooks and exports',
    )
    .requiredOption(...accountOption('the account to erase'))
    .option('--yes', 'do not ask for the name of the account on the terminal')
    .addHelpText(
      'after',
      `
The service continues meanwhile. Keys of the account are refused within a second, and its recordings get 503 until all is removed, which takes
at least some seconds. An erasure that was interrupted is completed by running the command again; until then, the account stays closed.`,
    )
    .action(erase);
}

async function erase({ account, yes }: { account: string; yes?: true }): Promise<void> {
  const config = loadConfig();
  if (!yes && !process.stdin.isTTY)
    throw new UsageError(
      'Nobody can confirm this here: standard input is no terminal. With --yes, the command does not ask.',
    );
  const headSequence = await withStoreForLongWork(config, async (store) => {
    if (!yes) await confirm(account);
    const { databaseUrl, databaseReplicaMaxLagMs } = config;
    const eraser = await openAccountEraser(databaseUrl);
    const { show, clear } = progress();
    const eraseOpened = () =>
      eraseAccount(account, {
        eraser,
        store,
        stamp: commandStamp,
        now: Date.now,
        monotonicMs: () => performance.now(),
        // Even if this command has no replica in its settings, a service may read from one.
        replicaLagMs: isEmbedded(databaseUrl) ? 0 : databaseReplicaMaxLagMs,
        sleep: (milliseconds) => delay(milliseconds),
        onWait: (milliseconds) =>
          printNote(`Waiting ${milliseconds / 1000} s, until no service can still read the account.`),
        onProgress: (transactions) => show(`Removed ${counted(transactions, 'transaction')} of ${account}`),
      });
    try {
      return await withAdvice(
        'Run the command again: it removes the rest, and until then, the account stays closed.',
        eraseOpened,
        clear,
      );
    } finally {
      clear();
      await eraser.end();
    }
  });
  if (headSequence === undefined) throw nothingOf(account);
  printResult(`The account ${account} is erased.`);
}

async function confirm(account: string): Promise<void> {
  printNote(`Everything of the account ${account} is removed for good. Type its name to confirm:`);
  if ((await readFirstLine()) !== account)
    throw new CommandFailed('That is another name. Nothing was changed.');
}
