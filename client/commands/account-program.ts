import { Command } from 'commander';
import { UsageError } from '../../values/failure.ts';
import { configureProgram } from '../../values/terminal/command-line.ts';
import { readEnvFile } from '../../values/terminal/env-file.ts';
import packageJson from '../package.json' with { type: 'json' };
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import { checkService, type ServiceOf } from './api-client.ts';
import { listenCommand } from './webhooks/listen.ts';

const serviceOf: ServiceOf = async ({ url: given, allowHttp = false }) => {
  const { variables, faults } = readEnvFile(['TRANSACTIONS_URL', 'TRANSACTIONS_API_KEY'], { isOurs: false });
  if (faults.length > 0) throw new UsageError(...faults);
  const env = { ...variables, ...process.env };
  const url = given ?? env['TRANSACTIONS_URL'];
  const apiKey = env['TRANSACTIONS_API_KEY'];
  if (!url) throw new UsageError('Give the URL of the service with --url, or set TRANSACTIONS_URL to it.');
  if (!apiKey)
    throw new UsageError(
      'Set TRANSACTIONS_API_KEY to the key of the account, in the environment or in .env. The operator of the service creates keys.',
    );
  return checkService({ url, apiKey, allowHttp }, given === undefined ? 'TRANSACTIONS_URL' : '--url');
};

export async function buildAccountProgram(): Promise<Command> {
  const program = new Command('transactions')
    .description(
      'Reads the transactions of an account from its service. This file needs Node 20 or later, and nothing else.',
    )
    .version(packageJson.version)
    .addHelpText(
      'after',
      '\nTRANSACTIONS_URL is the URL of the service and TRANSACTIONS_API_KEY the key of the account, in the environment or in .env.',
    );
  configureProgram(program);
  for (const load of Object.values(ACCOUNT_COMMANDS)) (await load())(program, serviceOf);
  listenCommand(program.command('webhooks').description('try a receiver of webhooks'), serviceOf);
  return program;
}
