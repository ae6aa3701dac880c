import type { Command } from 'commander';
import { readHead } from '../../../ledger/changes/read-head.ts';
import { secureRandomBytes } from '../../../service/random-bytes.ts';
import type { Store } from '../../../store/store.ts';
import { formatWebhook } from '../../../webhooks/format-webhook.ts';
import type { ListedWebhook } from '../../../webhooks/webhook.ts';
import { printResult } from '../../terminal/output.ts';
import { loadConfig, withStoreForWriting } from '../../with-store.ts';
import { commandStamp } from '../command-stamp.ts';
import { accountOption } from '../identifier-options.ts';
import { noSuchWebhook, parseWebhookId } from './webhook-options.ts';
import { type ShownWebhook, webhookTable } from './webhook-tables.ts';

/** A command with the id of an endpoint and its account. */
export const endpointCommand = (webhooks: Command, name: string, description: string) =>
  webhooks
    .command(name)
    .description(description)
    .argument('<endpoint>', 'the id of the endpoint (we_...)', parseWebhookId)
    .requiredOption(...accountOption('the account of the endpoint'));

export interface AccountOptions {
  account: string;
  json?: true;
}

/** For the functions that manage endpoints, with a store. */
export const NOW = { now: Date.now, randomBytes: secureRandomBytes, stamp: commandStamp };

/** Endpoints of an account as the API shows them. The head is read after them, so that it is not smaller. */
export async function showWebhooks(
  store: Pick<Store, 'readHeads'>,
  account: string,
  endpoints: readonly ListedWebhook[],
): Promise<ShownWebhook[]> {
  const headSequence = await readHead(store, account);
  return endpoints.map((endpoint) => ({ ...formatWebhook(endpoint), headSequence }));
}

/** Changes an endpoint, and prints it as it is then. */
export async function changeAndPrint(
  { account, json }: AccountOptions,
  id: string,
  change: (store: Store) => Promise<ListedWebhook | undefined>,
): Promise<void> {
  const [shown] = await withStoreForWriting(loadConfig(), async (store) => {
    const changed = await change(store);
    return changed === undefined ? [] : showWebhooks(store, account, [changed]);
  });
  if (shown === undefined) throw noSuchWebhook(account, id);
  if (json) printResult(JSON.stringify(shown));
  else printResult(...webhookTable([shown]));
}
