import type { Command } from 'commander';
import { DEFAULT_ITEMS, MAX_ITEMS } from '../../../http/operations/limit-parameter.ts';
import { webhookSender } from '../../../service/webhook-sender.ts';
import { formatTimestamp } from '../../../values/calendar.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { sentence } from '../../../values/sentence.ts';
import { formatFailure } from '../../../webhooks/format-webhook.ts';
import {
  changeWebhook,
  ReplayRefused,
  deleteWebhook as remove,
  replayWebhook as replay,
  rotateWebhookSecret,
} from '../../../webhooks/manage-webhooks.ts';
import { publicKeyOf, shownSecretOf } from '../../../webhooks/signing.ts';
import { testWebhook as sendTest } from '../../../webhooks/test-webhook.ts';
import { parseWebhookChanges } from '../../../webhooks/webhook-fields.ts';
import type { ServiceOf } from '../../account/api-client.ts';
import { listenCommand } from '../../account/webhooks/listen.ts';
import { jsonLinesOption, jsonOption, parseSequence, wholeNumber } from '../../terminal/options.ts';
import { printManyResults, printNote, printResult } from '../../terminal/output.ts';
import { growingTable, JSON_LINES } from '../../terminal/table.ts';
import { loadConfig, withStore, withStoreForWriting } from '../../with-store.ts';
import { createWebhookCommand } from './create.ts';
import { type AccountOptions, changeAndPrint, endpointCommand, NOW } from './endpoint-command.ts';
import { listWebhooksCommand } from './list.ts';
import {
  commandRules,
  type FieldOptions,
  fieldsOrExplain,
  LABEL_TEXT,
  noSuchWebhook,
  settingsThatForbid,
  TYPES_TEXT,
  writtenFields,
} from './webhook-options.ts';
import { FAILURE_TABLE } from './webhook-tables.ts';

const COMMANDS = [
  listWebhooksCommand,
  createWebhookCommand,
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

function deleteCommand(webhooks: Command): void {
  endpointCommand(webhooks, 'delete', 'delete an endpoint and its failures').action(deleteWebhook);
}

async function deleteWebhook(id: string, { account }: AccountOptions): Promise<void> {
  const isDeleted = await withStoreForWriting(loadConfig(), (store) =>
    remove({ store, ...NOW }, account, id),
  );
  if (!isDeleted) throw noSuchWebhook(account, id);
  printResult(`${id} of account ${account} is deleted.`);
}

function failuresCommand(webhooks: Command): void {
  endpointCommand(webhooks, 'failures', 'list the changes that could not be delivered to an endpoint')
    .option('--after <sequence>', 'only failures with larger sequence numbers', parseSequence, 0)
    .option('--limit <number>', 'the most failures', wholeNumber(1, MAX_ITEMS), DEFAULT_ITEMS)
    .addOption(jsonLinesOption())
    .action(listFailures);
}

async function listFailures(
  id: string,
  { account, after, limit, json }: AccountOptions & { after: number; limit: number },
): Promise<void> {
  const failures = await withStore(loadConfig(), async (store) => {
    if ((await store.findWebhook(account, id)) === undefined) throw noSuchWebhook(account, id);
    return store.listWebhookFailures(account, id, after, limit + 1);
  });
  const shown = failures.slice(0, limit).map(formatFailure);
  const { lines } = json ? JSON_LINES : growingTable(FAILURE_TABLE);
  if (shown.length > 0) await printManyResults(...lines(shown));
  else if (!json) printNote(`The endpoint ${id} has no failures after ${after}.`);
  if (failures.length > limit) printNote(`There are more: continue with --after ${shown.at(-1)?.sequence}.`);
}

function replayCommand(webhooks: Command): void {
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

function retryCommand(webhooks: Command): void {
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

function rotateSecretCommand(webhooks: Command): void {
  endpointCommand(
    webhooks,
    'rotate-secret',
    'give an endpoint a new secret and print it; the old one also signs for 24 hours, or until the next rotation',
  )
    .addOption(jsonOption('the secret and the time'))
    .action(rotateSecret);
}

async function rotateSecret(id: string, { account, json }: AccountOptions): Promise<void> {
  const rotated = await withStoreForWriting(loadConfig(), (store) =>
    rotateWebhookSecret({ store, ...NOW }, account, id),
  );
  if (rotated?.previousSecret == null) throw noSuchWebhook(account, id);
  const { previousSecret } = rotated;
  const [secret, publicKey] = [shownSecretOf(rotated.secret), publicKeyOf(rotated.secret)];
  const previousSecretUntil = formatTimestamp(previousSecret.untilMs);
  if (json) {
    printResult(JSON.stringify({ secret, publicKey, previousSecretUntil }));
    return;
  }
  printResult(secret ?? publicKey ?? '');
  printNote(
    `${secret === null ? 'This is the new public key.' : 'This is the only time that the secret is shown.'} The one before also signs until ${previousSecretUntil}.`,
  );
}

function updateCommand(webhooks: Command): void {
  endpointCommand(webhooks, 'update', 'change, disable or enable an endpoint')
    .option('--url <url>', 'where changes are sent')
    .option('--types <list>', TYPES_TEXT)
    .option('--label <text>', LABEL_TEXT)
    .option('--no-label', 'remove the label')
    .option('--ordered', 'deliver a change only after the one before it')
    .option('--no-ordered', 'deliver changes at the same time')
    .option('--enable', 'deliver changes again, from where deliveries stopped')
    .option('--disable', 'stop deliveries')
    .addOption(jsonOption('the endpoint'))
    .action(updateWebhook);
}

async function updateWebhook(
  id: string,
  options: AccountOptions & FieldOptions & { enable?: true; disable?: true },
): Promise<void> {
  const { account, enable, disable } = options;
  if (enable && disable) throw new UsageError('Add --enable or --disable, not both.');
  const written = {
    ...writtenFields(options),
    ...((enable || disable) && { state: enable ? 'enabled' : 'disabled' }),
  };
  if (Object.keys(written).length === 0)
    throw new UsageError('Add an option with what should change; --help lists them.');
  const changes = fieldsOrExplain(parseWebhookChanges(written, commandRules(loadConfig())));
  await changeAndPrint(options, id, (store) => changeWebhook({ store, ...NOW }, account, id, changes));
}

function testCommand(webhooks: Command): void {
  endpointCommand(
    webhooks,
    'test',
    'send a test event to an endpoint; the exit status is 1 if it is not delivered',
  )
    .addOption(jsonOption('the result'))
    .action(testWebhook);
}

/** Sends a test event from this machine, which can reach other networks than the service. */
async function testWebhook(id: string, { account, json }: AccountOptions): Promise<void> {
  const config = loadConfig();
  const found = await withStore(config, (store) => store.findWebhook(account, id));
  if (found === undefined) throw noSuchWebhook(account, id);
  const sender = webhookSender(config);
  const dependencies = { ...NOW, send: sender.send, monotonicMs: () => performance.now() };
  const result = await sendTest(dependencies, found, new AbortController().signal);
  sender.close();
  const { delivered, status, error, durationMs } = result;
  const settings = status === null ? settingsThatForbid(found.url, config) : undefined;
  if (json) printResult(JSON.stringify(result));
  else if (delivered) printResult(`The receiver answered ${status} after ${durationMs} ms.`);
  if (!delivered)
    throw new CommandFailed(
      `The test was not delivered: ${error}.`,
      ...(settings === undefined ? [] : [`${settings}.`]),
    );
}
