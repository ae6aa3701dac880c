import type { Change } from '../../../ledger/changes/change.ts';
import { formatChange } from '../../../ledger/changes/format-change.ts';
import type { Transaction } from '../../../ledger/transaction.ts';
import { formatTransaction } from '../../../ledger/transaction-fields.ts';
import type { Store } from '../../../store/store.ts';
import { type DeliveryOutcome, deliveryOutcome } from '../../../webhooks/delivery-outcome.ts';
import { formatFailure } from '../../../webhooks/format-webhook.ts';
import type { ListedWebhook, WebhookFailure } from '../../../webhooks/webhook.ts';
import { table } from '../../terminal/output.ts';

/** A transaction with its changes, and what became of each at each endpoint of the account. */
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
      deliveries.push({ endpoint, sequence, outcome: deliveryOutcome(endpoint, change, failure), failure });
    }
  }
  return { account, transaction, changes, deliveries };
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

export function linesOf(history: History): string[] {
  const { changes, deliveries, ...fields } = formatHistory(history);
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  const changeLines = table(
    ['CHANGE', 'TYPE', 'RECORDED', 'ID'],
    changes.map(({ sequence, type, recordedAt, id }) => [String(sequence), type, recordedAt, id]),
  );
  const deliveryLines = table(
    ['CHANGE', 'ENDPOINT', 'DELIVERY', 'URL'],
    deliveries.map(({ sequence, webhookId, outcome, url, failure }) => [
      String(sequence),
      webhookId,
      failure === null ? (MEANING[outcome] ?? outcome) : `failed: ${failure.error}`,
      url,
    ]),
  );
  return [
    ...Object.entries(fields).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`),
    '',
    ...changeLines,
    ...(deliveries.length === 0 ? [] : ['', ...deliveryLines]),
  ];
}

const MEANING: Partial<Record<DeliveryOutcome, string>> = {
  stopped: 'stopped: the endpoint is disabled',
  not_wanted: 'none: not of its types',
  before_endpoint: 'none: older than the endpoint',
};
