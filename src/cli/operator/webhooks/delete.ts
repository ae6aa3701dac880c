import type { Command } from 'commander';
import { deleteWebhook as remove } from '../../../webhooks/manage-webhooks.ts';
import { loadConfig } from '../../load-config.ts';
import { printResult } from '../../terminal/output.ts';
import { withStoreForWriting } from '../../with-store.ts';
import { type AccountOptions, endpointCommand, NOW } from './endpoint-command.ts';
import { noSuchWebhook } from './webhook-options.ts';

export function deleteCommand(webhooks: Command): void {
  endpointCommand(webhooks, 'delete', 'delete an endpoint and its failures').action(deleteWebhook);
}

async function deleteWebhook(id: string, { account }: AccountOptions): Promise<void> {
  const isDeleted = await withStoreForWriting(loadConfig(), (store) =>
    remove({ store, ...NOW }, account, id),
  );
  if (!isDeleted) throw noSuchWebhook(account, id);
  printResult(`${id} of account ${account} is deleted.`);
}
