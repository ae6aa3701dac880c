import type { Command } from 'commander';
import { loadConfig } from '../../load-config.ts';
import { jsonLinesOption } from '../../terminal/json-options.ts';
import { printManyResults, printNote, printResult } from '../../terminal/output.ts';
import { withStore } from '../../with-store.ts';
import { accountOf } from '../identifier-options.ts';
import { type AccountOptions, showWebhooks } from './endpoint-command.ts';
import { webhookTable } from './webhook-tables.ts';

export function listCommand(webhooks: Command): void {
  webhooks
    .command('list')
    .description('list the endpoints of an account, but not their secrets')
    .requiredOption('--account <id>', 'the account')
    .addOption(jsonLinesOption())
    .action(listWebhooks);
}

async function listWebhooks(options: AccountOptions): Promise<void> {
  const account = accountOf(options.account);
  const shown = await withStore(loadConfig(), async (store) =>
    showWebhooks(store, account, await store.listWebhooks(account)),
  );
  if (options.json) await printManyResults(...shown.map((one) => JSON.stringify(one)));
  else if (shown.length === 0) printNote(`The account ${account} has no endpoints.`);
  else printResult(...webhookTable(shown));
}
