import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { fromMinorUnits, toMinorUnits } from '../../client/src/amount.ts';
import { Amount } from '../parts/amount.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { OrderSums } from '../parts/order-sums.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { type Api, type Transaction, undefinedIfNotFound } from '../state/api.ts';
import { leftOf } from '../state/left.ts';
import { formatRoute, listRoute } from '../state/route.ts';
import { isPaid } from '../state/statuses.ts';
import { useApi } from '../state/use-api.ts';
import type { Live } from '../state/use-live.ts';
import { useLoad } from '../state/use-load.ts';
import { groupedAmount } from '../text/amount.ts';
import { counted } from '../text/count.ts';
import { texts } from '../text/language.ts';

const MAX_LOADED = 50;

interface RelatedProps {
  transaction: Transaction;
  live: Live;
  onRefund(refund: Refund | undefined): void;
}

export type Refund = 'refunded' | 'partially_refunded';

interface Newest {
  data: readonly Transaction[];
  hasMore: boolean;
}

/** `order` contains the transactions with the same merchantReference, such as failed payments. */
type Story = readonly [payment: Transaction | undefined, followers: Newest, order: Newest];

export function Related({ transaction, live, onRefund }: RelatedProps) {
  const { reference, relatedTo = reference, merchantReference } = transaction;
  const api = useApi();
  const isOfStory = (one: Transaction) =>
    [one.reference, one.relatedTo].includes(relatedTo) ||
    (merchantReference !== null && one.merchantReference === merchantReference);
  const news = [...live.latest.values()].filter((change) => isOfStory(change.transaction));
  const { loaded, value, reload } = useLoad(
    `${reference} ${live.missed} ${news.map(({ sequence }) => sequence)}`,
    (signal) => loadStory(api, transaction, signal),
    reference,
  );
  const [payment, followers, order] = value ?? [];
  const hasLeft =
    followers && followers.data.length > 0 && !followers.hasMore && payment && isPaid(payment.status);
  const refunded = hasLeft ? payment : undefined;
  const refund = refunded?.reference === reference ? refundOf(refunded, followers?.data ?? []) : undefined;
  useEffect(() => onRefund(refund), [refund]);
  if (loaded.state === 'failed')
    return (
      <Section>
        <FailurePanel
          missing={texts.$relatedFailed}
          again={texts.$loadRelated}
          {...loaded}
          onRetry={reload}
        />
      </Section>
    );
  if (followers === undefined || order === undefined) return null;
  const all = inTime([...(payment ? [payment] : []), ...followers.data, ...order.data, transaction]);
  if (all.length === 1) return null;
  // Without another paid transaction, OrderSums would repeat the sum of RefundBar.
  const isOfPayment = (one: Transaction) => one.reference === relatedTo || one.relatedTo === relatedTo;
  const hasOtherPaid = all.some((transaction) => isPaid(transaction.status) && !isOfPayment(transaction));
  return (
    <Section>
      {payment === undefined && <p class="order-note">{texts.$paymentUnknown(<code>{relatedTo}</code>)}</p>}
      <ol class="order-others" aria-label={texts.$relatedOldest}>
        {all.map((one) => (
          <Row key={one.reference} transaction={one} isThis={one.reference === reference} />
        ))}
      </ol>
      {(followers.hasMore || order.hasMore) && (
        <p class="order-foot">
          {followers.hasMore ? texts.$newestOfPayment(MAX_LOADED) : texts.$newestOfOrder(MAX_LOADED)}
          {order.hasMore && merchantReference !== null && (
            <a href={formatRoute(listRoute({ merchantReference }))}>{texts.$showOrder}</a>
          )}
        </p>
      )}
      {refunded !== undefined && <RefundBar payment={refunded} followers={followers.data} />}
      {!followers.hasMore && !order.hasMore && (refunded === undefined || hasOtherPaid) && (
        <OrderSums transactions={all} label={texts.$sumOf(counted(all.length, texts.$transaction))} />
      )}
    </Section>
  );
}

const Section = ({ children }: { children?: ComponentChildren }) => (
  <section class="card order" aria-labelledby="related">
    <h2 id="related">{texts.$related}</h2>
    {children}
  </section>
);

function loadStory(api: Api, transaction: Transaction, signal: AbortSignal): Promise<Story> {
  const { reference, relatedTo, merchantReference } = transaction;
  return Promise.all([
    relatedTo === undefined ? transaction : api.retrieve(relatedTo, signal).catch(undefinedIfNotFound),
    newest((cursor) => api.related(relatedTo ?? reference, cursor, signal)),
    merchantReference === null
      ? { data: [], hasMore: false }
      : newest((cursor) => api.page({ merchantReference, ...(cursor !== null && { cursor }) }, signal)),
  ]);
}

async function newest(read: (cursor: string | null) => ReturnType<Api['page']>): Promise<Newest> {
  let page = await read(null);
  const data = [...page.data];
  while (page.nextCursor !== null && data.length < MAX_LOADED) {
    page = await read(page.nextCursor);
    data.push(...page.data);
  }
  return { data, hasMore: page.hasMore };
}

const inTime = (transactions: readonly Transaction[]): Transaction[] =>
  [...new Map(transactions.map((transaction) => [transaction.reference, transaction])).values()].sort(
    (left, right) =>
      `${left.createdAt} ${left.reference}` < `${right.createdAt} ${right.reference}` ? -1 : 1,
  );

function Row({ transaction, isThis }: { transaction: Transaction; isThis: boolean }) {
  const { reference, status, amount, currencyCode, createdAt } = transaction;
  return (
    <li aria-current={isThis || undefined}>
      <Timestamp timestamp={createdAt} />
      <span class="order-reference">
        {isThis ? (
          <>
            <span class="reference">{reference}</span> <span class="label-note">{texts.$thisOne}</span>
          </>
        ) : (
          <a class="reference" href={formatRoute({ view: 'transaction', reference })}>
            {reference}
          </a>
        )}
      </span>
      <StatusBadge status={status} />
      <Amount amount={amount} currencyCode={currencyCode} />
    </li>
  );
}

function refundOf(payment: Transaction, followers: readonly Transaction[]): Refund | undefined {
  const { amount, isRefunded } = leftOf(payment, followers);
  if (!isRefunded || amount === payment.amount) return undefined;
  // If the refunds exceed the payment, the remaining amount has the opposite sign. Nothing is left to refund.
  const hasRest = toMinorUnits(amount) * toMinorUnits(payment.amount) > 0n;
  return hasRest ? 'partially_refunded' : 'refunded';
}

function RefundBar({ payment, followers }: { payment: Transaction; followers: readonly Transaction[] }) {
  const { amount, currencyCode } = payment;
  const { others, amount: left, isRefunded } = leftOf(payment, followers);
  const [all, rest] = [toMinorUnits(amount), toMinorUnits(left)];
  const grouped = (minor: bigint) => groupedAmount(fromMinorUnits(minor), currencyCode);
  return (
    <div class="refunds">
      <progress aria-labelledby="refunds" value={Number(all - rest) / Number(all || 1n)} />
      <p id="refunds">
        {(isRefunded ? texts.$refundedOf : texts.$deductedOf)(
          grouped(all - rest),
          grouped(rest),
          `${grouped(all)} ${currencyCode}`,
        )}
        {others > 0 && <span class="label-note"> ({counted(others, texts.$leftWithout)})</span>}
      </p>
    </div>
  );
}
