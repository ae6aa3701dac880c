import { readHead } from '../../ledger/changes/read-head.ts';
import { secureRandomBytes } from '../../service/random-bytes.ts';
import type { Store } from '../../store/store.ts';
import { CommandFailed, UsageError } from '../../values/failure.ts';
import { formatWebhook } from '../../webhooks/format-webhook.ts';
import * as management from '../../webhooks/manage-webhooks.ts';
import type { ListedWebhook } from '../../webhooks/webhook.ts';
import { parseNewWebhook, parseWebhookChanges } from '../../webhooks/webhook-fields.ts';
import { loadConfig } from '../load-config.ts';
import { printNote, printResult } from '../terminal/output.ts';
import { withStoreForWriting } from '../with-store.ts';
import { accountOf } from './key-options.ts';
import {
  type FieldOptions,
  fieldsOrExplain,
  noSuchWebhook,
  rulesOf,
  webhookIdOf,
  writtenFields,
} from './webhook-options.ts';
import { type ShownWebhook, webhookTable } from './webhook-tables.ts';

export interface AccountOptions {
  account: string;
  json?: true;
}

/** For the functions of core that manage endpoints, with a store. */
export const NOW = { now: Date.now, randomBytes: secureRandomBytes };

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

export async function createWebhook(options: AccountOptions & FieldOptions): Promise<void> {
  const account = accountOf(options.account);
  const config = loadConfig();
  const fields = fieldsOrExplain(parseNewWebhook(writtenFields(options), rulesOf(config)));
  const created = await withStoreForWriting(config, (store) =>
    management.createWebhook({ store, ...NOW }, account, fields),
  ).catch((error: unknown) => {
    if (!(error instanceof management.TooManyWebhooks)) throw error;
    throw new CommandFailed(
      `The account ${account} has ${management.MAX_WEBHOOKS} endpoints already. Delete one that is not used.`,
    );
  });
  const { id, secret } = created;
  if (options.json) {
    const headSequence = created.acknowledgedSequence;
    printResult(JSON.stringify({ ...formatWebhook({ ...created, failures: 0 }), headSequence, secret }));
    return;
  }
  printResult(secret);
  printNote(
    `This is the only time that the secret is shown. The id of the endpoint is ${id}. To test it: transactions webhooks test ${id} --account ${account}`,
  );
}

export async function updateWebhook(
  endpoint: string,
  options: AccountOptions & FieldOptions & { enable?: true; disable?: true },
): Promise<void> {
  const account = accountOf(options.account);
  const id = webhookIdOf(endpoint);
  const { enable, disable } = options;
  if (enable && disable) throw new UsageError('Add --enable or --disable, not both.');
  const written = {
    ...writtenFields(options),
    ...((enable || disable) && { enabled: enable === true }),
  };
  if (Object.keys(written).length === 0)
    throw new UsageError('Add an option with what should change; --help lists them.');
  const changes = fieldsOrExplain(parseWebhookChanges(written, rulesOf(loadConfig())));
  await changeAndPrint(options, id, (store) =>
    management.changeWebhook({ store, ...NOW }, account, id, changes),
  );
}

export async function deleteWebhook(endpoint: string, options: AccountOptions): Promise<void> {
  const account = accountOf(options.account);
  const id = webhookIdOf(endpoint);
  const isDeleted = await withStoreForWriting(loadConfig(), (store) => store.deleteWebhook(account, id));
  if (!isDeleted) throw noSuchWebhook(account, id);
  printResult(`${id} of account ${account} is deleted.`);
}
