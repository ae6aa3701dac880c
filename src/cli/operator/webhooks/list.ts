import { type Command, Option } from 'commander';
import type { Store } from '../../../store/store.ts';
import { UsageError } from '../../../values/failure.ts';
import type { ListedWebhook } from '../../../webhooks/webhook.ts';
import { loadConfig } from '../../load-config.ts';
import { jsonLinesOption } from '../../terminal/json-options.ts';
import { printManyResults, printNote, printResult } from '../../terminal/output.ts';
import { withStore } from '../../with-store.ts';
import { ofEachAccount } from '../accounts.ts';
import { accountOf } from '../identifier-options.ts';
import { showWebhooks } from './endpoint-command.ts';
import { type ShownWebhook, webhookTable } from './webhook-tables.ts';

export function listCommand(webhooks: Command): void {
  webhooks
    .command('list')
    .description('list the endpoints of an account, but not their secrets')
    .option('--account <id>', 'the account')
    .addOption(
      new Option(
        '--failing',
        'of all accounts, those with failures, or that fail or were disabled for it',
      ).conflicts('account'),
    )
    .addOption(jsonLinesOption())
    .action(listWebhooks);
}

interface ListOptions {
  account?: string;
  failing?: true;
  json?: true;
}

async function listWebhooks({ account, failing, json }: ListOptions): Promise<void> {
  if (failing !== true && account === undefined)
    throw new UsageError('Which endpoints? Write --account with the id of an account, or --failing.');
  const of = account === undefined ? null : accountOf(account);
  const shown = await withStore(loadConfig(), async (store) =>
    of === null ? failingWebhooks(store) : showWebhooks(store, of, await store.listWebhooks(of)),
  );
  if (json) await printManyResults(...shown.map((one) => JSON.stringify(one)));
  else if (shown.length > 0) printResult(...webhookTable(shown));
  else printNote(of === null ? 'No endpoint fails.' : `The account ${of} has no endpoints.`);
}

async function failingWebhooks(store: Store): Promise<ShownWebhook[]> {
  const shown: ShownWebhook[] = [];
  for await (const failing of ofEachAccount(store, (account) => failingOf(store, account)))
    shown.push(...failing);
  return shown;
}

async function failingOf(store: Store, account: string): Promise<ShownWebhook[]> {
  const failing = (await store.listWebhooks(account)).filter(isFailing);
  if (failing.length === 0) return [];
  return (await showWebhooks(store, account, failing)).map((one) => ({ account, ...one }));
}

const isFailing = ({ failureCount, failingSinceMs, disabled }: ListedWebhook) =>
  failureCount > 0 || failingSinceMs !== null || (disabled !== null && disabled.reason !== 'requested');
