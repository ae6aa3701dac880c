import type { Command } from 'commander';
import { DEFAULT_ITEMS, MAX_ITEMS } from '../../../http/operations/limit-parameter.ts';
import { formatFailure } from '../../../webhooks/format-webhook.ts';
import { loadConfig } from '../../load-config.ts';
import { jsonLinesOption, parseSequence, wholeNumber } from '../../terminal/options.ts';
import { printManyResults, printNote } from '../../terminal/output.ts';
import { growingTable, JSON_LINES } from '../../terminal/table.ts';
import { withStore } from '../../with-store.ts';
import { type AccountOptions, endpointCommand } from './endpoint-command.ts';
import { noSuchWebhook } from './webhook-options.ts';
import { FAILURE_COLUMNS } from './webhook-tables.ts';

export function failuresCommand(webhooks: Command): void {
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
  const { lines } = json ? JSON_LINES : growingTable(FAILURE_COLUMNS);
  if (shown.length > 0) await printManyResults(...lines(shown));
  else if (!json) printNote(`The endpoint ${id} has no failures after ${after}.`);
  if (failures.length > limit) printNote(`There are more: continue with --after ${shown.at(-1)?.sequence}.`);
}
