import type { Command } from 'commander';
import { formatTimestamp } from '../../../values/calendar.ts';
import { rotateWebhookSecret } from '../../../webhooks/manage-webhooks.ts';
import { publicKeyOf, shownSecretOf } from '../../../webhooks/signing.ts';
import { loadConfig } from '../../load-config.ts';
import { jsonOption } from '../../terminal/options.ts';
import { printNote, printResult } from '../../terminal/output.ts';
import { withStoreForWriting } from '../../with-store.ts';
import { type AccountOptions, endpointCommand, NOW } from './endpoint-command.ts';
import { noSuchWebhook } from './webhook-options.ts';

export function rotateSecretCommand(webhooks: Command): void {
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
