import { DETAIL_PREFIX } from '../../../values/detail-name.ts';
import { type Column, table } from '../../../values/terminal/table.ts';
import type { AuditEntry } from '../../audit/audit.ts';
import { type Change, formatChange } from '../../ledger/changes/change.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import { formatTransaction } from '../../ledger/transaction-fields.ts';
import type { Store } from '../../store/store.ts';
import {
  type DeliveryOutcome,
  deliveryOutcome,
  formatFailure,
  type ListedWebhook,
  type WebhookFailure,
} from '../../webhooks/webhook.ts';
import { filteredPages, pagesOfStore } from '../pages-of-store.ts';

export interface History {
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

/** The smallest sequence number after which changes were replayed. Infinity without a replay. */
async function replayedAfter(store: Store, { account, id }: ListedWebhook): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  const pages = pagesOfStore<AuditEntry>((after, count) => store.listAudit(account, after, count));
  for await (const entries of filteredPages(pages, ({ subject }) => subject === id))
    for (const { action, detail } of entries) {
      // A deleted endpoint can be created again with the same id. Replays of the deleted endpoint do not
      // count.
      if (action === 'endpoint.created') least = Number.POSITIVE_INFINITY;
      if (action === 'endpoint.replayed') least = Math.min(least, Number(detail?.['after']));
    }
  return least;
}

export const formatHistory = ({ account, transaction, changes, deliveries }: History) => ({
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

export function linesOf(history: History): string[] {
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
