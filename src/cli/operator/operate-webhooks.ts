import { webhookSender } from '../../service/webhook-sender.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import { CommandFailed } from '../../values/failure.ts';
import { formatFailure } from '../../webhooks/format-webhook.ts';
import * as management from '../../webhooks/manage-webhooks.ts';
import { testWebhook as sendTest } from '../../webhooks/test-webhook.ts';
import { loadConfig } from '../load-config.ts';
import { printNote, printResult } from '../terminal/output.ts';
import { withStore, withStoreForWriting } from '../with-store.ts';
import { type AccountOptions, changeAndPrint, NOW, showWebhooks } from './change-webhooks.ts';
import { accountOf } from './key-options.ts';
import { noSuchWebhook, settingsThatForbid, webhookIdOf } from './webhook-options.ts';
import { failureTable, webhookTable } from './webhook-tables.ts';

export async function listWebhooks(options: AccountOptions): Promise<void> {
  const account = accountOf(options.account);
  const shown = await withStore(loadConfig(), async (store) =>
    showWebhooks(store, account, await store.listWebhooks(account)),
  );
  if (options.json) printResult(JSON.stringify(shown));
  else if (shown.length === 0) printNote(`The account ${account} has no endpoints.`);
  else printResult(...webhookTable(shown));
}

/** Sends a test event from this machine, which can reach other networks than the service. */
export async function testWebhook(endpoint: string, options: AccountOptions): Promise<void> {
  const account = accountOf(options.account);
  const id = webhookIdOf(endpoint);
  const config = loadConfig();
  const found = await withStore(config, (store) => store.findWebhook(account, id));
  if (found === undefined) throw noSuchWebhook(account, id);
  const sender = webhookSender(config);
  const dependencies = { ...NOW, send: sender.send, monotonicMs: () => performance.now() };
  const result = await sendTest(dependencies, found, new AbortController().signal);
  sender.close();
  const { delivered, status, error, durationMs } = result;
  const settings = status === null ? settingsThatForbid(found.url, config) : undefined;
  if (options.json) printResult(JSON.stringify(result));
  else if (delivered) printResult(`The receiver answered ${status} after ${durationMs} ms.`);
  if (!delivered)
    throw new CommandFailed(
      `The test was not delivered: ${error}.`,
      ...(settings === undefined ? [] : [`${settings}.`]),
    );
}

export async function replayWebhook(
  endpoint: string,
  options: AccountOptions & { after: number },
): Promise<void> {
  const account = accountOf(options.account);
  const id = webhookIdOf(endpoint);
  await changeAndPrint(options, id, (store) =>
    management.replayWebhook({ store, ...NOW }, account, id, options.after),
  ).catch((error: unknown) => {
    if (error instanceof management.ReplayRefused) throw new CommandFailed(`--after ${error.detail}.`);
    throw error;
  });
}

export async function rotateSecret(endpoint: string, options: AccountOptions): Promise<void> {
  const account = accountOf(options.account);
  const id = webhookIdOf(endpoint);
  const rotated = await withStoreForWriting(loadConfig(), (store) =>
    management.rotateWebhookSecret({ store, ...NOW }, account, id),
  );
  if (rotated?.previousSecret == null) throw noSuchWebhook(account, id);
  const { secret, previousSecret } = rotated;
  const previousSecretUntil = formatTimestamp(previousSecret.untilMs);
  if (options.json) {
    printResult(JSON.stringify({ secret, previousSecretUntil }));
    return;
  }
  printResult(secret);
  printNote(
    `This is the only time that the secret is shown. The one before also signs until ${previousSecretUntil}.`,
  );
}

export async function listFailures(
  endpoint: string,
  options: AccountOptions & { after: number; limit: number },
): Promise<void> {
  const account = accountOf(options.account);
  const id = webhookIdOf(endpoint);
  const { after, limit } = options;
  const failures = await withStore(loadConfig(), async (store) => {
    if ((await store.findWebhook(account, id)) === undefined) throw noSuchWebhook(account, id);
    return store.listWebhookFailures(account, id, after, limit + 1);
  });
  const shown = failures.slice(0, limit).map(formatFailure);
  if (options.json) printResult(JSON.stringify(shown));
  else if (shown.length === 0) printNote(`The endpoint ${id} has no failures after ${after}.`);
  else printResult(...failureTable(shown));
  if (failures.length > limit) printNote(`There are more: continue with --after ${shown.at(-1)?.sequence}.`);
}

export async function retryFailure(
  endpoint: string,
  sequence: number,
  options: AccountOptions,
): Promise<void> {
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
