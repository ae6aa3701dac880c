import { type Command, Option } from 'commander';
import type { Store } from '../../../store/store.ts';
import { UsageError } from '../../../values/failure.ts';
import type { ListedWebhook } from '../../../webhooks/webhook.ts';
import { jsonLinesOption } from '../../terminal/options.ts';
import { printManyResults, printNote } from '../../terminal/output.ts';
import { JSON_LINES, printPages } from '../../terminal/table.ts';
import { loadConfig, withStore } from '../../with-store.ts';
import { ofEachAccount } from '../accounts.ts';
import { accountOption } from '../identifier-options.ts';
import { showWebhooks } from './endpoint-command.ts';
import { COLUMNS_OF_ALL, type ShownWebhook, webhookTable } from './webhook-tables.ts';

export function listWebhooksCommand(webhooks: Command): void {
  webhooks
    .command('list')
    .description('list the endpoints of an account, but not their secrets')
    .option(...accountOption('the account'))
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
  if (account === undefined) return listFailing(json);
  const shown = await withStore(loadConfig(), async (store) =>
    showWebhooks(store, account, await store.listWebhooks(account)),
  );
  if (shown.length > 0) await printManyResults(...(json ? JSON_LINES.lines(shown) : webhookTable(shown)));
  else if (!json) printNote(`The account ${account} has no endpoints.`);
}

/** Endpoints that are printed together. */
const PAGE_SIZE = 500;

async function listFailing(json: true | undefined): Promise<void> {
  const count = await withStore(loadConfig(), (store) =>
    printPages(failingPages(store), COLUMNS_OF_ALL, json),
  );
  if (count === 0 && !json) printNote('No endpoint fails.');
}

async function* failingPages(store: Store): AsyncGenerator<ShownWebhook[]> {
  let page: ShownWebhook[] = [];
  for await (const failing of ofEachAccount(store, (account) => failingOf(store, account))) {
    page.push(...failing);
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function failingOf(store: Store, account: string): Promise<ShownWebhook[]> {
  const failing = (await store.listWebhooks(account)).filter(isFailing);
  if (failing.length === 0) return [];
  return (await showWebhooks(store, account, failing)).map((one) => ({ account, ...one }));
}

const isFailing = ({ failureCount, failingSinceMs, disabled }: ListedWebhook) =>
  failureCount > 0 || failingSinceMs !== null || (disabled !== null && disabled.reason !== 'requested');
