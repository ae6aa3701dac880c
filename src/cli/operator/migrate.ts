import type { Command } from 'commander';
import { grantService } from '../../store/open-store.ts';
import { CommandFailed } from '../../values/failure.ts';
import { StoreRefused } from '../../values/store-errors.ts';
import { loadConfig } from '../load-config.ts';
import { printResult } from '../terminal/output.ts';
import { printDatabase, withNewStore } from '../with-store.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description("bring the database's schema up to date")
    .option('--grant-to <role>', 'give this PostgreSQL role the rights to serve, and no others')
    .action(async ({ grantTo }: { grantTo?: string }) => {
      const config = loadConfig();
      await withNewStore(config, async ({ migrated }) => {
        printDatabase(config);
        if (migrated.length === 0) printResult('The schema is up to date.');
        else printResult(...migrated.map((name) => `Applied migration ${name}.`));
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
