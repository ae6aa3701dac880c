import type { Command } from 'commander';
import { CommandFailed } from '../../../values/failure.ts';
import { sentence } from '../../../values/sentence.ts';
import { ReplayRefused, replayWebhook as replay } from '../../../webhooks/manage-webhooks.ts';
import { jsonOption, parseSequence } from '../../terminal/options.ts';
import { type AccountOptions, changeAndPrint, endpointCommand, NOW } from './endpoint-command.ts';

export function replayCommand(webhooks: Command): void {
  endpointCommand(webhooks, 'replay', 'deliver changes to an endpoint again')
    .requiredOption('--after <sequence>', 'the changes with larger sequence numbers', parseSequence)
    .addOption(jsonOption('the endpoint'))
    .action(replayWebhook);
}

async function replayWebhook(id: string, options: AccountOptions & { after: number }): Promise<void> {
  await changeAndPrint(options, id, (store) =>
    replay({ store, ...NOW }, options.account, id, options.after),
  ).catch((error: unknown) => {
    if (error instanceof ReplayRefused) throw new CommandFailed(`--after ${sentence(error.detail)}`);
    throw error;
  });
}
