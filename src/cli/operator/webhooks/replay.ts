import type { Command } from 'commander';
import { CommandFailed } from '../../../values/failure.ts';
import { sentence } from '../../../values/sentence.ts';
import { ReplayRefused, replayWebhook as replay } from '../../../webhooks/manage-webhooks.ts';
import { jsonOption } from '../../terminal/json-options.ts';
import { parseSequence } from '../../terminal/sequence-option.ts';
import { accountOf } from '../identifier-options.ts';
import { type AccountOptions, changeAndPrint, endpointCommand, NOW } from './endpoint-command.ts';
import { webhookIdOf } from './webhook-options.ts';

export function replayCommand(webhooks: Command): void {
  endpointCommand(webhooks, 'replay', 'deliver changes to an endpoint again')
    .requiredOption('--after <sequence>', 'the changes with larger sequence numbers', parseSequence)
    .addOption(jsonOption('the endpoint'))
    .action(replayWebhook);
}

async function replayWebhook(endpoint: string, options: AccountOptions & { after: number }): Promise<void> {
  const account = accountOf(options.account);
  const id = webhookIdOf(endpoint);
  await changeAndPrint(options, id, (store) => replay({ store, ...NOW }, account, id, options.after)).catch(
    (error: unknown) => {
      if (error instanceof ReplayRefused) throw new CommandFailed(`--after ${sentence(error.detail)}`);
      throw error;
    },
  );
}
