import type { Command } from 'commander';
import { UsageError } from '../../../values/failure.ts';
import { changeWebhook } from '../../../webhooks/manage-webhooks.ts';
import { parseWebhookChanges } from '../../../webhooks/webhook-fields.ts';
import { loadConfig } from '../../load-config.ts';
import { jsonOption } from '../../terminal/options.ts';
import { type AccountOptions, changeAndPrint, endpointCommand, NOW } from './endpoint-command.ts';
import {
  type FieldOptions,
  fieldsOrExplain,
  LABEL_TEXT,
  rulesOf,
  TYPES_TEXT,
  writtenFields,
} from './webhook-options.ts';

export function updateCommand(webhooks: Command): void {
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
  const changes = fieldsOrExplain(parseWebhookChanges(written, rulesOf(loadConfig())));
  await changeAndPrint(options, id, (store) => changeWebhook({ store, ...NOW }, account, id, changes));
}
