import { type Command, Option } from 'commander';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { DEFAULT_ITEMS, MAX_ITEMS } from '../../../values/interface/limits.ts';
import { jsonLinesOption, parseSequence, wholeNumber } from '../../../values/terminal/options.ts';
import { printManyResults, printNote } from '../../../values/terminal/output.ts';
import { type Column, growingTable, JSON_LINES, printPages, table } from '../../../values/terminal/table.ts';
import { readHead } from '../../ledger/changes/changes.ts';
import type { Store } from '../../store/store.ts';
import { formatFailure, formatWebhook, isWebhookId, type ListedWebhook } from '../../webhooks/webhook.ts';
import { ofEachAccount } from '../accounts.ts';
import { accountOption } from '../identifier-options.ts';
import { loadConfig, withStore } from '../with-store.ts';

const PAGE_SIZE = 500;

export function webhooksCommand(program: Command): Command {
  const webhooks = program
    .command('webhooks')
    .description('list the endpoints to which changes are delivered, or listen for changes here');
  listCommand(webhooks);
  failuresCommand(webhooks);
  return webhooks;
}

function listCommand(webhooks: Command): void {
  webhooks
    .command('list')
    .description('list the endpoints of an account, but not their secrets')
    .option(...accountOption('the account'))
    .addOption(
      new Option(
        '--failing',
        'list, over all accounts, the endpoints that have failures or that the service disabled',
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
  if (shown.length > 0) await printManyResults(...(json ? JSON_LINES.lines(shown) : table(COLUMNS, shown)));
  else if (!json) printNote(`The account ${account} has no endpoints.`);
}

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

async function showWebhooks(
  store: Pick<Store, 'readHeads'>,
  account: string,
  endpoints: readonly ListedWebhook[],
): Promise<ShownWebhook[]> {
  // The head must be read after `endpoints`. An endpoint's progress could exceed an older head.
  const headSequence = await readHead(store, account);
  return endpoints.map((endpoint) => ({ ...formatWebhook(endpoint), headSequence }));
}

function failuresCommand(webhooks: Command): void {
  webhooks
    .command('failures')
    .description('list the changes that could not be delivered to an endpoint')
    .argument('<endpoint>', 'the id of the endpoint (we_...)', parseWebhookId)
    .requiredOption(...accountOption('the account of the endpoint'))
    .option('--after <sequence>', 'only failures with larger sequence numbers', parseSequence, 0)
    .option(
      '--limit <number>',
      'how many failures to print at most',
      wholeNumber(1, MAX_ITEMS),
      DEFAULT_ITEMS,
    )
    .addOption(jsonLinesOption())
    .action(listFailures);
}

function parseWebhookId(text: string): string {
  if (isWebhookId(text)) return text;
  throw new UsageError(
    'This is not the id of an endpoint, which is we_ and 16 characters, as "transactions webhooks list" shows it.',
  );
}

async function listFailures(
  id: string,
  { account, after, limit, json }: { account: string; after: number; limit: number; json?: true },
): Promise<void> {
  const failures = await withStore(loadConfig(), async (store) => {
    if ((await store.findWebhook(account, id)) === undefined)
      throw new CommandFailed(
        `The account ${account} has no endpoint ${id}. "transactions webhooks list --account ${account}" shows its endpoints.`,
      );
    return store.listWebhookFailures(account, id, after, limit + 1);
  });
  const shown = failures.slice(0, limit).map(formatFailure);
  const { lines } = json ? JSON_LINES : growingTable(FAILURE_TABLE);
  if (shown.length > 0) await printManyResults(...lines(shown));
  else if (!json) printNote(`The endpoint ${id} has no failures after ${after}.`);
  if (failures.length > limit) printNote(`There are more: continue with --after ${shown.at(-1)?.sequence}.`);
}

type ShownWebhook = ReturnType<typeof formatWebhook> & { headSequence: number; account?: string };

const COLUMNS: readonly Column<ShownWebhook>[] = [
  { title: 'ID', text: ({ id }) => id },
  {
    title: 'STATE',
    text: ({ state, disabledReason: reason }) => (reason === null || reason === 'requested' ? state : reason),
  },
  {
    title: 'BEHIND',
    // The difference is negative after a restore that lost acknowledged changes.
    text: ({ headSequence, acknowledgedSequence }) =>
      String(Math.max(0, headSequence - acknowledgedSequence)),
  },
  { title: 'FAILURES', text: ({ failureCount }) => String(failureCount) },
  {
    title: 'FAILING SINCE',
    text: ({ failingSince }) => (failingSince === null ? '-' : toTheMinute(failingSince)),
  },
  { title: 'LABEL OR URL', text: ({ label, url }) => label ?? url },
];

const COLUMNS_OF_ALL: typeof COLUMNS = [
  { title: 'ACCOUNT', text: ({ account = '' }) => account },
  ...COLUMNS,
];

const toTheMinute = (timestamp: string) => timestamp.replace(/:\d{2}\.\d{3}Z$/, 'Z');

const FAILURE_TABLE: readonly Column<ReturnType<typeof formatFailure>>[] = [
  { title: 'SEQUENCE', text: ({ sequence }) => String(sequence) },
  { title: 'ATTEMPTS', text: ({ attempts }) => String(attempts) },
  { title: 'NEXT ATTEMPT', text: ({ nextAttemptAt }) => nextAttemptAt ?? 'none' },
  { title: 'ERROR', text: ({ error }) => error },
];
