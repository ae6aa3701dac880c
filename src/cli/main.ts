import { Command, CommanderError } from 'commander';
import packageJson from '#package' with { type: 'json' };
import { CommandFailed, UsageError } from '../values/failure.ts';
import { sentence } from '../values/sentence.ts';
import { StoreRefused, StoreUnavailable } from '../values/store-errors.ts';
import { ignoreClosedOutput, printNote, writeResult } from './terminal/output.ts';

const FAILED = 1;
const USED_WRONGLY = 2;

type Load = () => Promise<(program: Command) => void>;

/** In the order of the help. A command line loads only the code of its command. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Commands that open the database of DATABASE_URL:': {
    serve: async () => (await import('./operator/serve.ts')).serveCommand,
    import: async () => (await import('./operator/import/import.ts')).importCommand,
    show: async () => (await import('./operator/show.ts')).showCommand,
    accounts: async () => (await import('./operator/accounts.ts')).accountsCommand,
    keys: async () => (await import('./operator/keys/keys.ts')).keysCommand,
    webhooks: async () => (await import('./operator/webhooks/webhooks.ts')).webhooksCommand,
    migrate: async () => (await import('./operator/migrate.ts')).migrateCommand,
    verify: async () => (await import('./operator/verify/verify.ts')).verifyCommand,
    backup: async () => (await import('./operator/backup/backup.ts')).backupCommand,
  },
  'Commands that call a running service, with the key TRANSACTIONS_API_KEY of an account:': {
    list: async () => (await import('./account/list/list.ts')).listCommand,
    totals: async () => (await import('./account/totals/totals.ts')).totalsCommand,
    export: async () => (await import('./account/export/export.ts')).exportCommand,
    changes: async () => (await import('./account/changes/changes.ts')).changesCommand,
    reconcile: async () => (await import('./account/reconcile/reconcile.ts')).reconcileCommand,
  },
  'Other commands:': {
    demo: async () => (await import('./operator/demo.ts')).demoCommand,
    copy: async () => (await import('./operator/copy/copy.ts')).copyCommand,
  },
};

async function buildProgram(name: string | undefined): Promise<Command> {
  const program = new Command('transactions')
    .description('Records the transactions of accounts and lists them over HTTP.')
    .version(packageJson.version)
    .configureOutput({ writeOut: writeResult, outputError: (text) => printNote(...errorLines(text)) })
    .showHelpAfterError('Add --help to see the usage.')
    .exitOverride();
  // Subcommands inherit the configuration above.
  const named = Object.values(COMMANDS).find((group) => name !== undefined && Object.hasOwn(group, name))?.[
    name as string
  ];
  if (named !== undefined) {
    (await named())(program);
  } else {
    for (const [title, group] of Object.entries(COMMANDS)) {
      program.commandsGroup(title);
      for (const load of Object.values(group)) (await load())(program);
    }
    // In the last group.
    program.helpCommand(true);
  }
  program.addHelpText(
    'after',
    '\nSettings are read from the environment and from an .env file; docs/settings.md lists them.',
  );
  return program;
}

/** The lines of an error from commander, which repeats the input and can end with a suggestion. */
function errorLines(text: string): string[] {
  const [, error = '', suggestion] = /^([\s\S]*?)(?:\n(\(Did you mean .*\?\)))?\n?$/.exec(text) ?? [];
  return suggestion === undefined ? [error] : [error, suggestion];
}

/** Runs a command line. Exit status: 0, 1 if the command failed, or 2 if it was used wrongly. */
export async function main(argv: readonly string[]): Promise<void> {
  // A diagnostic report would include every environment variable, such as secrets and addresses with passwords.
  process.report.excludeEnv = true;
  ignoreClosedOutput();
  try {
    const program = await buildProgram(argv[2]);
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = exitStatusOf(error);
  }
}

function exitStatusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USED_WRONGLY;
  if (error instanceof UsageError || error instanceof CommandFailed) {
    printNote(...error.lines);
    return error instanceof UsageError ? USED_WRONGLY : FAILED;
  }
  if (error instanceof StoreUnavailable || error instanceof StoreRefused) {
    printNote(`The command failed: ${sentence(error.message)}`);
    return FAILED;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  printNote(...`Internal error, please report it: ${stack}`.split('\n'));
  return FAILED;
}
