import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ChangeNumberer } from '../../ledger/changes/change.ts';
import { numberTransactions } from '../../ledger/changes/number-transactions.ts';
import { grantService } from '../../store/open-store.ts';
import { CommandFailed } from '../../values/failure.ts';
import { sentence } from '../../values/sentence.ts';
import { StoreRefused, StoreUnavailable } from '../../values/store-errors.ts';
import { loadConfig } from '../load-config.ts';
import { number } from '../terminal/import-report.ts';
import { printResult, progress } from '../terminal/output.ts';
import { printDatabase, withNewStore } from '../with-store.ts';

/** Between two steps: other programs try every millisecond to take SQLite's write lock. */
const PAUSE_MS = 5;

/** Gives sequence numbers to the transactions that an earlier version recorded. A service can run meanwhile. */
async function numberAll(store: ChangeNumberer): Promise<number> {
  const { show, clear } = progress();
  let numberedSoFar = 0;
  try {
    return await numberTransactions(store, {
      isStopped: () => false,
      onProgress: (numbered) => {
        numberedSoFar = numbered;
        show(`Numbered ${number(numbered)} transactions`);
      },
      pause: () => delay(PAUSE_MS),
    });
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new CommandFailed(
      `Numbered ${number(numberedSoFar)} transactions, and could not number the others: ${sentence(error.message)}`,
      'Run "transactions migrate" again, or start "transactions serve", which numbers them while it serves.',
    );
  } finally {
    clear();
  }
}

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description("bring the database's schema up to date")
    .option('--grant-to <role>', 'give this PostgreSQL role the rights to serve, and no others')
    .action(async ({ grantTo }: { grantTo?: string }) => {
      const config = loadConfig();
      await withNewStore(config, async ({ store, migrated }) => {
        printDatabase(config);
        if (migrated.length === 0) printResult('The schema is up to date.');
        else printResult(...migrated.map((name) => `Applied migration ${name}.`));
        const numbered = await numberAll(store);
        if (numbered > 0) printResult(`Numbered ${number(numbered)} transactions.`);
      });
      if (grantTo === undefined) return;
      try {
        await grantService(config.databaseUrl, grantTo);
      } catch (error) {
        throw error instanceof StoreRefused ? new CommandFailed(error.message) : error;
      }
      printResult(`The role ${grantTo} has the rights to serve.`);
    });
}
