import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { COLUMN_FIELDS } from '../../values/interface/fields.ts';
import { Amount } from '../parts/amount.tsx';
import { ArchivedOfAccount } from '../parts/archived-note.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { FreshNote } from '../parts/fresh-note.tsx';
import { Icon } from '../parts/icon.tsx';
import { SlowNote } from '../parts/slow-note.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import { announce } from '../state/announce.ts';
import type { Transaction } from '../state/api.ts';
import { nowMs } from '../state/clock.ts';
import { columnName } from '../state/columns.ts';
import type { Failure } from '../state/failure.ts';
import { formatRoute, listRoute, type Route } from '../state/route.ts';
import { useHeading } from '../state/title.ts';
import { useApi } from '../state/use-api.ts';
import type { Live } from '../state/use-live.ts';
import { type Loaded, type Retry, useLoad } from '../state/use-load.ts';
import { useRoute } from '../state/use-route.ts';
import { groupedAmount } from '../text/amount.ts';
import { detailName } from '../text/detail-name.ts';
import { labels, withinSentence } from '../text/labels.ts';
import { texts } from '../text/language.ts';
import { statusText, statusWord } from '../text/status.ts';
import { type Refund, Related } from './related.tsx';
import { Timeline } from './timeline.tsx';

interface TransactionScreenProps {
  account: string;
  reference: string;
  live: Live;
  onClose: (() => void) | undefined;
}

export function TransactionScreen(props: TransactionScreenProps) {
  const { account, reference, live, onClose } = props;
  const api = useApi();
  const { loaded, value, reload } = useLoad(
    `${live.missed} ${reference}`,
    async (signal) => ({ transaction: await api.retrieve(reference, signal), atMs: nowMs() }),
    reference,
  );
  // `live` has only recent changes, so the newest change of the transaction is stored here.
  const latest = useRef<Transaction>(undefined);
  const kept = latest.current;
  if (kept === undefined || kept.status === 'pending')
    latest.current = live.latest.get(reference)?.transaction ?? kept;
  const transaction = withLatest(loaded, value?.transaction, latest.current);
  const [refund, setRefund] = useState<Refund>();
  useHeading(reference);
  useEffect(() => {
    if (loaded.state === 'loading') announce(value ? '' : texts.$loadingTransaction);
    else announce(transaction && loaded.state === 'loaded' ? spokenTitle(transaction) : '');
  }, [loaded.state]);
  useEffect(() => {
    if (loaded.state === 'loaded' && transaction?.status !== loaded.value.transaction.status)
      announce(texts.$nowIs(statusWord(transaction?.status ?? '')));
  }, [transaction?.status]);

  const Screen = onClose ? 'aside' : 'main';
  return (
    <Screen
      id={onClose ? 'beside' : 'main'}
      class="detail"
      aria-label={onClose && `${texts.$theTransaction} ${reference}`}
      onKeyDown={({ key }: KeyboardEvent) => key === 'Escape' && onClose?.()}
    >
      <BackLink onClose={onClose} />
      <div class="heading">
        <h1 tabIndex={-1}>
          {transaction ? (
            <>
              {customerOf(transaction)} <Amount {...transaction} />
            </>
          ) : (
            <>
              {texts.$theTransaction} <span class="reference">{reference}</span>
            </>
          )}
        </h1>
        {transaction && <StatusBadge status={transaction.status} />}
        {transaction && refund && <span class="status status-other">{statusText(refund)}</span>}
        {transaction?.merchantReference && <p class="detail-about">{transaction.merchantReference}</p>}
        {value && <FreshNote isLive={live.isLive && loaded.state === 'loaded'} atMs={value.atMs} />}
        {!onClose && <ZoneSwitch />}
      </div>
      {loaded.state === 'loading' && transaction === undefined && (
        <>
          <SlowNote />
          <div class="loading loading-card" aria-hidden="true">
            <i />
            <i />
            <i />
          </div>
        </>
      )}
      {loaded.state === 'failed' && transaction === undefined && (
        <>
          <Failed {...loaded} account={account} reference={reference} onRetry={reload} />
          {loaded.failure.kind === 'not-found' && <ArchivedOfAccount />}
        </>
      )}
      {transaction && (
        <>
          <TransactionCard transaction={transaction} />
          <Timeline transaction={transaction} />
          {/* This part comes last, so that nothing moves when the related transactions arrive. */}
          <Related transaction={transaction} live={live} onRefund={setRefund} />
        </>
      )}
    </Screen>
  );
}

const customerOf = ({ details = {} }: Transaction) => details['customer'] ?? details['customerName'];

const spokenTitle = (transaction: Transaction) =>
  [
    customerOf(transaction),
    `${groupedAmount(transaction.amount, transaction.currencyCode)} ${transaction.currencyCode}`,
    statusText(transaction.status),
  ]
    .filter(Boolean)
    .join(', ');

/** A final transaction is not replaced: `latest`, from the feed, can have details that were removed since. */
function withLatest(
  loaded: Loaded<unknown>,
  transaction: Transaction | undefined,
  latest: Transaction | undefined,
): Transaction | undefined {
  if (loaded.state === 'failed') return loaded.failure.kind === 'not-found' ? latest : undefined;
  return transaction?.status === 'pending' && latest && latest.status !== 'pending' ? latest : transaction;
}

interface FailedProps {
  failure: Failure;
  retry: Retry | undefined;
  account: string;
  reference: string;
  onRetry(): void;
}

function Failed({ failure, retry, account, reference, onRetry }: FailedProps) {
  if (failure.kind !== 'not-found') return <FailurePanel failure={failure} retry={retry} onRetry={onRetry} />;
  const detail = texts.$noTransaction(account, reference);
  const href = formatRoute({ view: 'search', text: reference });
  return (
    <FailurePanel
      failure={{ ...failure, detail }}
      retry={retry}
      actions={
        <a class="button button-primary" href={href}>
          {texts.$searchReferences}
        </a>
      }
    />
  );
}

function TransactionCard({ transaction }: { transaction: Transaction }) {
  const { reference, merchantReference, paidAt, createdAt } = transaction;
  const { relatedTo, detailsRemovedAt } = transaction;
  return (
    <section class="card payment" aria-label={`${texts.$theTransaction} ${reference}`}>
      <dl class="transaction-fields">
        {field(
          labels.reference,
          <code>{reference}</code>,
          <CopyButton text={reference} name={texts.$theReference} />,
        )}
        {field(
          labels.merchantReference,
          merchantReference === null ? (
            texts.$none
          ) : (
            <>
              <code>{merchantReference}</code>
              <CopyButton text={merchantReference} name={withinSentence(labels.merchantReference)} />
            </>
          ),
        )}
        {field(labels.createdAt, <Timestamp timestamp={createdAt} isWhole />)}
        {field(labels.paidAt, paidAt === null ? texts.$isNotPaid : <Timestamp timestamp={paidAt} isWhole />)}
        {relatedTo !== undefined &&
          field(
            columnName('relatedTo'),
            <a class="reference" href={formatRoute({ view: 'transaction', reference: relatedTo })}>
              {relatedTo}
            </a>,
            <CopyButton text={relatedTo} name={texts.$theRelated} />,
          )}
        {textsOf(transaction).map(({ name, text, method }) =>
          field(
            name,
            method && `${method} \u2022\u2022\u2022\u2022 `,
            text,
            <CopyButton text={text} name={texts.$theDetail(name)} />,
          ),
        )}
        {detailsRemovedAt !== undefined &&
          field(
            texts.$details,
            <span>{texts.$removedAt(<Timestamp timestamp={detailsRemovedAt} isWhole />)}</span>,
          )}
      </dl>
    </section>
  );
}

const METHODS = ['cardBrand', 'paymentMethod', 'method'];
const LAST_DIGITS = ['cardLast4', 'last4'];

function textsOf(transaction: Transaction): { name: string; text: string; method?: string }[] {
  const { details = {} } = transaction;
  const method = METHODS.find((name) => details[name]);
  const digits = method && LAST_DIGITS.find((name) => details[name]);
  return [
    ...COLUMN_FIELDS.filter((name) => name !== 'relatedTo' && transaction[name] !== undefined).map(
      (name) => ({ name: columnName(name), text: transaction[name] as string }),
    ),
    ...Object.entries(details)
      .filter(([name]) => name !== digits)
      .map(([name, text]) =>
        name === method && digits
          ? { name: detailName(name), text: details[digits] as string, method: text }
          : { name: detailName(name), text },
      ),
  ];
}

function field(name: string, ...value: ComponentChildren[]) {
  return (
    <div key={name} class="transaction-field">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const BACK_TEXTS: { [View in Route['view']]?: string } = {
  list: texts.$backToList,
  search: texts.$backToSearch,
};

function BackLink({ onClose }: Pick<TransactionScreenProps, 'onClose'>) {
  const { cameFrom } = useRoute();
  const backText = onClose ? texts.$backToList : cameFrom && BACK_TEXTS[cameFrom.view];
  const back = (event: MouseEvent) => {
    if (backText === undefined) return;
    event.preventDefault();
    if (onClose) onClose();
    else history.back();
  };
  return (
    <a class="back" href={formatRoute(listRoute())} onClick={back}>
      <Icon name="left" />
      {backText ?? texts.$allTransactions}
    </a>
  );
}
