import type { Command } from 'commander';
import { dayOf, formatDay } from '../../../values/calendar.ts';
import { counted, number } from '../../../values/counted.ts';
import { DETAIL_PREFIX } from '../../../values/detail-name.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { filteredPages, pagesOf } from '../../../values/pages.ts';
import { quote } from '../../../values/quote.ts';
import { jsonLinesOption } from '../../../values/terminal/options.ts';
import { printNote, printResult, progress } from '../../../values/terminal/output.ts';
import { type Column, JSON_LINES, table } from '../../../values/terminal/table.ts';
import type { AuditEntry } from '../../audit/audit.ts';
import { type Change, formatChange } from '../../ledger/changes/change.ts';
import { NO_FILTER } from '../../ledger/list/list.ts';
import {
  explainIdentifier,
  isIdentifier,
  isMerchantReference,
  type Transaction,
} from '../../ledger/transaction.ts';
import { formatTransaction } from '../../ledger/transaction-fields.ts';
import type { Store } from '../../store/store.ts';
import {
  type DeliveryOutcome,
  deliveryOutcome,
  formatFailure,
  type ListedWebhook,
  type WebhookFailure,
} from '../../webhooks/webhook.ts';
import { ofEachAccount } from '../accounts.ts';
import { accountOption } from '../identifier-options.ts';
import { loadConfig, withStore } from '../with-store.ts';

const MAX_OF_ORDER = 100;

export function showCommand(program: Command): void {
  program
    .command('show')
    .description('print transactions with their changes and deliveries')
    .argument('<reference>', 'the reference or merchantReference of the transactions')
    .option(...accountOption('the account of the transactions; without it, all accounts are searched'))
    .addOption(jsonLinesOption())
    .action(show);
}

async function show(reference: string, { account, json }: { account?: string; json?: true }): Promise<void> {
  if (!isIdentifier(reference) && !isMerchantReference(reference))
    throw new UsageError(`The reference ${explainIdentifier(reference)}.`);
  const { found, cut, archives } = await withStore(loadConfig(), (store) => find(store, reference, account));
  const nobody = account === undefined ? 'No account has a' : `The account ${account} has no`;
  if (found.length === 0)
    throw new CommandFailed(
      `${nobody} transaction with the reference or merchantReference ${quote(reference)}. Both are compared exactly, upper and lower case included.`,
      ...explainArchives(archives),
    );
  if (json) printResult(...JSON_LINES.lines(found.map(formatHistory)));
  else printResult(...found.flatMap((one, at) => [...(at === 0 ? [] : ['']), ...linesOf(one)]));
  for (const owner of cut)
    printNote(`These are the newest ${MAX_OF_ORDER} transactions of the order in the account ${owner}.`);
  const isShown = new Set(found.map((one) => one.account));
  for (const archive of archives)
    if (isShown.has(archive.account))
      printNote('The order can have archived transactions.', ...explainArchives([archive]));
}

interface Searched {
  found: History[];
  cut: string[];
  archives: { account: string; beforeMs: number }[];
}

async function find(store: Store, reference: string, account: string | undefined): Promise<Searched> {
  if (account !== undefined) return findIn(store, account, reference);
  const { show, clear } = progress();
  const all: Searched = { found: [], cut: [], archives: [] };
  let searched = 0;
  for await (const { found, cut, archives } of ofEachAccount(store, (one) => findIn(store, one, reference))) {
    all.found.push(...found);
    all.cut.push(...cut);
    all.archives.push(...archives);
    show(`Searched ${number(++searched)} accounts`);
  }
  clear();
  return all;
}

async function findIn(store: Store, account: string, reference: string): Promise<Searched> {
  const histories = await historiesOf(store, account, reference);
  const found = histories.slice(0, MAX_OF_ORDER);
  const cut = histories.length > MAX_OF_ORDER ? [account] : [];
  const isComplete = found.some(({ transaction }) => transaction.reference === reference);
  const archive = isComplete ? undefined : await store.readArchive(account);
  return { found, cut, archives: archive === undefined ? [] : [{ account, beforeMs: archive.beforeMs }] };
}

function explainArchives([first, ...others]: Searched['archives']): string[] {
  if (first === undefined) return [];
  const { account, beforeMs } = first;
  const more = others.length === 0 ? '' : `, and older ones of ${counted(others.length, 'other account')}`;
  return [
    `Transactions of ${account} that were created before ${formatDay(dayOf(beforeMs))} were archived${more}: look in the files of "transactions archive", for example with grep.`,
  ];
}

async function historiesOf(store: Store, account: string, reference: string): Promise<History[]> {
  const own = isIdentifier(reference) ? await store.retrieveTransaction(account, reference) : undefined;
  const filter = { ...NO_FILTER, merchantReference: reference };
  const { transactions } = await store.listTransactions({ account, filter, after: null }, MAX_OF_ORDER + 1);
  const found = new Map<string, Transaction>(
    [...(own === undefined ? [] : [own]), ...transactions].map((transaction) => [
      transaction.reference,
      transaction,
    ]),
  );
  return Promise.all([...found.values()].map((transaction) => historyOf(store, account, transaction)));
}

interface History {
  account: string;
  transaction: Transaction;
  changes: readonly Change[];
  deliveries: readonly Delivery[];
}

interface Delivery {
  endpoint: ListedWebhook;
  sequence: number;
  outcome: DeliveryOutcome;
  failure: WebhookFailure | undefined;
}

export async function historyOf(store: Store, account: string, transaction: Transaction): Promise<History> {
  const changes = (await store.listTransactionChanges(account, transaction.reference)) ?? [];
  const deliveries: Delivery[] = [];
  for (const endpoint of await store.listWebhooks(account)) {
    for (const change of changes) {
      const { sequence } = change;
      const [next] = await store.listWebhookFailures(account, endpoint.id, sequence - 1, 1);
      const failure = next?.sequence === sequence ? next : undefined;
      let outcome = deliveryOutcome(endpoint, change, failure);
      if (outcome === 'before_endpoint' && sequence > (await replayedAfter(store, endpoint)))
        outcome = 'delivered';
      deliveries.push({ endpoint, sequence, outcome, failure });
    }
  }
  return { account, transaction, changes, deliveries };
}

async function replayedAfter(store: Store, { account, id }: ListedWebhook): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  const pages = pagesOf<AuditEntry>((after, count) => store.listAudit(account, after, count));
  for await (const entries of filteredPages(pages, ({ subject }) => subject === id))
    for (const { action, detail } of entries) {
      // Replays before this entry belong to a deleted endpoint that had the same id.
      if (action === 'endpoint.created') least = Number.POSITIVE_INFINITY;
      if (action === 'endpoint.replayed') least = Math.min(least, Number(detail?.['after']));
    }
  return least;
}

const formatHistory = ({ account, transaction, changes, deliveries }: History) => ({
  account,
  ...formatTransaction(transaction),
  changes: changes.map((change) => {
    const { transaction: _, ...fields } = formatChange(account, change);
    return fields;
  }),
  deliveries: deliveries.map(({ endpoint, sequence, outcome, failure }) => ({
    sequence,
    webhookId: endpoint.id,
    url: endpoint.url,
    outcome,
    failure: failure === undefined ? null : formatFailure(failure),
  })),
});

type Formatted = ReturnType<typeof formatHistory>;

const CHANGE_COLUMNS: readonly Column<Formatted['changes'][number]>[] = [
  { title: 'CHANGE', text: ({ sequence }) => String(sequence) },
  { title: 'TYPE', text: ({ type }) => type },
  { title: 'RECORDED', text: ({ recordedAt }) => recordedAt },
  { title: 'ID', text: ({ id }) => id },
];

const DELIVERY_COLUMNS: readonly Column<Formatted['deliveries'][number]>[] = [
  { title: 'CHANGE', text: ({ sequence }) => String(sequence) },
  { title: 'ENDPOINT', text: ({ webhookId }) => webhookId },
  {
    title: 'DELIVERY',
    text: ({ outcome, failure }) =>
      failure === null ? (MEANING[outcome] ?? outcome) : `failed: ${failure.error}`,
  },
  { title: 'URL', text: ({ url }) => url },
];

function linesOf(history: History): string[] {
  const { changes, deliveries, details = {}, ...others } = formatHistory(history);
  const fields: Record<string, string | null> = { ...others };
  for (const [name, text] of Object.entries(details)) fields[DETAIL_PREFIX + name] = text;
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return [
    ...Object.entries(fields).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`),
    '',
    ...table(CHANGE_COLUMNS, changes),
    ...(deliveries.length === 0 ? [] : ['', ...table(DELIVERY_COLUMNS, deliveries)]),
  ];
}

const MEANING: Partial<Record<DeliveryOutcome, string>> = {
  stopped: 'stopped: the endpoint is disabled',
  not_wanted: 'none: not of its types',
  before_endpoint: 'none: older than the endpoint',
};
