import type { Command } from 'commander';
import { CommandFailed } from '../../../values/failure.ts';
import { loadConfig } from '../../load-config.ts';
import { parseSequence } from '../../terminal/options.ts';
import { printResult } from '../../terminal/output.ts';
import { withStoreForWriting } from '../../with-store.ts';
import { type AccountOptions, endpointCommand } from './endpoint-command.ts';

export function retryCommand(webhooks: Command): void {
  endpointCommand(webhooks, 'retry', 'retry a failure now')
    .argument('<sequence>', 'the sequence number of the change', parseSequence)
    .action(retryFailure);
}

async function retryFailure(id: string, sequence: number, { account }: AccountOptions): Promise<void> {
  const isDue = await withStoreForWriting(loadConfig(), (store) =>
    store.retryWebhookFailure(account, id, sequence, Date.now()),
  );
  if (!isDue)
    throw new CommandFailed(
      `The account ${account} has no endpoint ${id} with a failure ${sequence}. "transactions webhooks failures" lists them.`,
    );
  printResult(`The change ${sequence} is delivered to ${id} again within seconds.`);
}
