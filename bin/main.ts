import { Command } from 'commander';
import packageJson from '#package' with { type: 'json' };
import { ACCOUNT_COMMANDS, type LoadCommand } from '../client/commands/account-commands.ts';
import type { ServiceOf } from '../client/commands/api-client.ts';
import { versionText } from '../src/service/build-info.ts';
import { configureProgram, runCommandLine } from '../values/terminal/command-line.ts';

const serviceOf: ServiceOf = async (options) => (await import('./configured-service.ts')).serviceOf(options);

/** The help lists the commands in this order. If the first argument is a command, only its code is loaded. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  'Commands that open the database of DATABASE_URL:': {
    serve: async () => (await import('../src/cli/serve.ts')).serveCommand,
    import: async () => (await import('../src/cli/import/import.ts')).importCommand,
    show: async () => (await import('../src/cli/show/show.ts')).showCommand,
    accounts: async () => (await import('../src/cli/accounts.ts')).accountsCommand,
    keys: async () => (await import('../src/cli/keys/keys.ts')).keysCommand,
    sessions: async () => (await import('../src/cli/keys/sessions.ts')).sessionsCommand,
    access: async () => (await import('../src/cli/access.ts')).accessCommand,
    webhooks: async () => {
      const { webhooksCommand } = await import('../src/cli/webhooks/webhooks.ts');
      const { listenCommand } = await import('../client/commands/webhooks/listen.ts');
      return (program, service) => listenCommand(webhooksCommand(program), service);
    },
    audit: async () => (await import('../src/cli/audit/audit.ts')).auditCommand,
    archive: async () => (await import('../src/cli/archive/archive.ts')).archiveCommand,
    erase: async () => (await import('../src/cli/erase/erase.ts')).eraseCommand,
    migrate: async () => (await import('../src/cli/migrate.ts')).migrateCommand,
    doctor: async () => (await import('../src/cli/doctor/doctor.ts')).doctorCommand,
    verify: async () => (await import('../src/cli/verify/verify.ts')).verifyCommand,
    seals: async () => (await import('../src/cli/seals.ts')).sealsCommand,
    backup: async () => (await import('../src/cli/backup/backup.ts')).backupCommand,
    reopen: async () => (await import('../src/cli/copy/reopen.ts')).reopenCommand,
  },
  'Commands that call a running service, with the key TRANSACTIONS_API_KEY of an account:': ACCOUNT_COMMANDS,
  'Other commands:': {
    demo: async () => (await import('../src/cli/demo.ts')).demoCommand,
    copy: async () => (await import('../src/cli/copy/copy.ts')).copyCommand,
  },
};

/** In a clone, `versionText` runs git, which takes time. So it is called only for these options. */
const VERSION_OPTIONS: readonly string[] = ['--version', '-V'];

export async function buildProgram(name: string | undefined): Promise<Command> {
  const program = new Command('transactions')
    .description('Records the transactions of accounts and lists them over HTTP.')
    .version(VERSION_OPTIONS.includes(name ?? '') ? versionText() : packageJson.version);
  configureProgram(program);
  const named = Object.values(COMMANDS).find((group) => name !== undefined && Object.hasOwn(group, name))?.[
    name as string
  ];
  if (named !== undefined) {
    (await named())(program, serviceOf);
  } else {
    for (const [title, group] of Object.entries(COMMANDS)) {
      program.commandsGroup(title);
      for (const load of Object.values(group)) (await load())(program, serviceOf);
    }
    // Puts the command `help` in the last group.
    program.helpCommand(true);
  }
  program.addHelpText(
    'after',
    "\nSettings are read from the environment and from an .env file. The operator's interface lists them at /guides/settings, and every command at /guides/commands.",
  );
  return program;
}

/** The exit status is 0 if the command succeeded, 1 if it failed, and 2 if it was used wrongly. */
export const main = (argv: readonly string[]): Promise<void> =>
  runCommandLine(() => buildProgram(argv[2]), argv);
