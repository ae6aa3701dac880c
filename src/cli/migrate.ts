import type { Command } from 'commander';
import { loadConfig, withStore } from './environment.ts';
import { printResult } from './output.ts';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description("bring the database's schema up to date")
    .action(async () => {
      const { databaseUrl } = loadConfig();
      const migrated = await withStore(databaseUrl, async (_store, names) => names);
      printResult(
        migrated.length === 0
          ? 'The schema is up to date.'
          : migrated.map((name) => `Applied migration ${name}.`).join('\n'),
      );
    });
}
