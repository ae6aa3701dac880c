import { type Command, Option } from 'commander';
import { CommandFailed } from '../../values/failure.ts';
import { printNote, printResult } from '../../values/terminal/output.ts';
import type { Config } from '../config/settings.ts';
import { grantRole } from '../store/open-store.ts';
import { loadConfig, openUnmigrated, printDatabase, withNewStore } from './with-store.ts';

const UP_TO_DATE = 'The schema is up to date.';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description("bring the database's schema up to date")
    .option('--dry-run', 'print what would change, with its SQL, and change nothing')
    .addOption(
      new Option(
        '--grant-to <role>',
        'give this PostgreSQL role the rights to serve, and no other rights',
      ).conflicts('dryRun'),
    )
    .action(async ({ dryRun, grantTo }: { dryRun?: boolean; grantTo?: string }) => {
      const config = loadConfig();
      if (dryRun === true) await printPending(config);
      else await migrate(config);
      if (grantTo === undefined) return;
      await grantRole(config.databaseUrl, grantTo);
      printResult(`The role ${grantTo} has the rights to serve.`);
    });
}

async function migrate(settings: Config): Promise<void> {
  await withNewStore(settings, async ({ migrated }) => {
    printDatabase(settings);
    if (migrated.length === 0) printResult(UP_TO_DATE);
    else printResult(...migrated.map((name) => `Applied migration ${name}.`));
  });
}

async function printPending(settings: Config): Promise<void> {
  const opened = await openUnmigrated(settings);
  printDatabase(settings);
  if ('store' in opened) {
    await opened.store.close();
    return printResult(UP_TO_DATE);
  }
  const { pending, statements, isEmpty, missingRights = [] } = opened;
  if (isEmpty) {
    printResult('The database does not exist, or is empty: all of its tables would be created.');
  } else {
    pending.forEach((name, index) => {
      printResult(`Would apply migration ${name}:`, (statements[index] as string).trimEnd());
    });
    printNote(
      'Nothing was changed. How long this takes depends on the data: restore a backup to another database, and measure "transactions migrate" there.',
    );
  }
  if (missingRights.length > 0)
    throw new CommandFailed(`The user of the database lacks rights to migrate: ${missingRights.join(', ')}.`);
}
