import type { Command } from 'commander';
import { CommandFailed } from '../../../values/failure.ts';
import { formatWebhook } from '../../../webhooks/format-webhook.ts';
import {
  createWebhook as create,
  MAX_WEBHOOKS,
  sameUrlWarning,
  TooManyWebhooks,
} from '../../../webhooks/manage-webhooks.ts';
import { publicKeyOf, shownSecretOf } from '../../../webhooks/signing.ts';
import { parseNewWebhook } from '../../../webhooks/webhook-fields.ts';
import { jsonOption } from '../../terminal/options.ts';
import { printNote, printResult } from '../../terminal/output.ts';
import { loadConfig, withStoreForWriting } from '../../with-store.ts';
import { accountOption } from '../identifier-options.ts';
import { type AccountOptions, NOW } from './endpoint-command.ts';
import {
  commandRules,
  type FieldOptions,
  fieldsOrExplain,
  LABEL_TEXT,
  TYPES_TEXT,
  writtenFields,
} from './webhook-options.ts';

export function createWebhookCommand(webhooks: Command): void {
  webhooks
    .command('create')
    .description('create an endpoint and print its secret, this one time')
    .requiredOption(...accountOption('the account whose changes are delivered'))
    .requiredOption('--url <url>', 'where changes are sent')
    .option('--types <list>', `${TYPES_TEXT} (default: all)`)
    .option('--label <text>', LABEL_TEXT)
    .option('--ordered', 'deliver a change only after the one before it')
    .option(
      '--signing <way>',
      '"v1" with a secret, or "v1a" with a key of which the receiver has the public half (default: v1)',
    )
    .addOption(jsonOption('the endpoint and its secret'))
    .action(createWebhook);
}

async function createWebhook(options: AccountOptions & FieldOptions): Promise<void> {
  const { account } = options;
  const config = loadConfig();
  const fields = fieldsOrExplain(parseNewWebhook(writtenFields(options), commandRules(config)));
  const { created, sameUrlId } = await withStoreForWriting(config, (store) =>
    create({ store, ...NOW }, account, fields),
  ).catch((error: unknown) => {
    if (!(error instanceof TooManyWebhooks)) throw error;
    throw new CommandFailed(
      `The account ${account} has ${MAX_WEBHOOKS} endpoints already. Delete one that is not used.`,
    );
  });
  const { id } = created;
  const secret = shownSecretOf(created.secret);
  if (sameUrlId !== null) printNote(sameUrlWarning(sameUrlId));
  if (options.json) {
    const headSequence = created.acknowledgedSequence;
    printResult(JSON.stringify({ ...formatWebhook(created), headSequence, secret }));
    return;
  }
  printResult(secret ?? publicKeyOf(created.secret) ?? '');
  printNote(
    `${secret === null ? 'This is the public key, which verifies deliveries.' : 'This is the only time that the secret is shown.'} The id of the endpoint is ${id}. To test it: transactions webhooks test ${id} --account ${account}`,
  );
}
