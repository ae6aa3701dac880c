import type { Command } from 'commander';
import { CommandFailed } from '../../../values/failure.ts';
import { loadConfig } from '../../load-config.ts';
import { printResult } from '../../terminal/output.ts';
import { parseSequence } from '../../terminal/sequence-option.ts';
import { withStoreForWriting } from '../../with-store.ts';
import { accountOf } from '../identifier-options.ts';
import { type AccountOptions, endpointCommand } from './endpoint-command.ts';
import { webhookIdOf } from './webhook-options.ts';

export function retryCommand(webhooks: Command): void {
  endpointCommand(webhooks, 'retry', 'retry a failure now')
    .argument('<sequence>', 'the sequence number of the change', parseSequence)
    .action(retryFailure);
}

async function retryFailure(endpoint: string, sequence: number, options: AccountOptions): Promise<void> {
  const account = accountOf(options.account);
  const id = webhookIdOf(endpoint);
  const isDue = await withStoreForWriting(loadConfig(), (store) =>
    store.retryWebhookFailure(account, id, sequence, Date.now()),
  );
  if (!isDue)
    throw new CommandFailed(
      `The account ${account} has no endpoint ${id} with a failure ${sequence}. "transactions webhooks failures" lists them.`,
    );
  printResult(`The change ${sequence} is delivered to ${id} again within seconds.`);
}
