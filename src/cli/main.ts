import { Command, CommanderError } from 'commander';
import packageJson from '#package' with { type: 'json' };
import { CommandFailed, UsageError } from '../values/failure.ts';
import { sentence } from '../values/sentence.ts';
import { StoreRefused, StoreUnavailable } from '../values/store-errors.ts';
import { ignoreClosedOutput, printNote, writeResult } from './terminal/output.ts';

const FAILED = 1;
const USED_WRONGLY = 2;

/** In the order of the help. A command line loads only the code of its command. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import('./operator/serve.ts')).serveCommand,
  import: async () => (await import('./operator/import.ts')).importCommand,
  list: async () => (await import('./account/list.ts')).listCommand,
  export: async () => (await import('./account/export.ts')).exportCommand,
  changes: async () => (await import('./account/changes.ts')).changesCommand,
  totals: async () => (await import('./account/totals.ts')).totalsCommand,
  reconcile: async () => (await import('./account/reconcile.ts')).reconcileCommand,
  accounts: async () => (await import('./operator/accounts.ts')).accountsCommand,
  show: async () => (await import('./operator/show.ts')).showCommand,
  keys: async () => (await import('./operator/keys.ts')).keysCommand,
  webhooks: async () => (await import('./operator/webhooks.ts')).webhooksCommand,
  demo: async () => (await import('./operator/demo.ts')).demoCommand,
  migrate: async () => (await import('./operator/migrate.ts')).migrateCommand,
  copy: async () => (await import('./operator/copy.ts')).copyCommand,
  verify: async () => (await import('./operator/verify.ts')).verifyCommand,
  backup: async () => (await import('./operator/backup.ts')).backupCommand,
};

async function buildProgram(name: string | undefined): Promise<Command> {
  const program = new Command('transactions')
    .description('Records the transactions of accounts and lists them over HTTP.')
    .version(packageJson.version)
    .configureOutput({ writeOut: writeResult, outputError: (text) => printNote(...errorLines(text)) })
    .showHelpAfterError('Add --help to see the usage.')
    .exitOverride();
  // Subcommands inherit the configuration above.
  const named = Object.entries(COMMANDS).filter(([one]) => one === name);
  for (const [, load] of named.length > 0 ? named : Object.entries(COMMANDS)) (await load())(program);
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
