import type { Command } from 'commander';
import type { ServiceOf } from '../../account/api-client.ts';
import { listenCommand } from '../../account/webhooks/listen.ts';
import { createCommand } from './create.ts';
import { deleteCommand } from './delete.ts';
import { failuresCommand } from './failures.ts';
import { listCommand } from './list.ts';
import { replayCommand } from './replay.ts';
import { retryCommand } from './retry.ts';
import { rotateSecretCommand } from './rotate-secret.ts';
import { testCommand } from './test.ts';
import { updateCommand } from './update.ts';

const COMMANDS = [
  listCommand,
  createCommand,
  updateCommand,
  deleteCommand,
  rotateSecretCommand,
  testCommand,
  replayCommand,
  failuresCommand,
  retryCommand,
];

export function webhooksCommand(program: Command, serviceOf: ServiceOf): void {
  const webhooks = program
    .command('webhooks')
    .description('manage the endpoints to which the changes of an account are delivered');
  for (const add of COMMANDS) add(webhooks);
  listenCommand(webhooks, serviceOf);
}
