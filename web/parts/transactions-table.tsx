import type { ComponentChildren } from 'preact';
import type { Transaction } from '../state/api.ts';
import { formatRoute } from '../state/route.ts';
import { useRoute } from '../state/use-route.ts';
import { Amount } from './amount.tsx';
import { CardTable, columnHeader } from './card-table.tsx';
import { CopyButton } from './copy-button.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Timestamp } from './timestamp.tsx';

interface TransactionsTableProps {
  transactions: readonly Transaction[];
  caption: string;
  isLoading: boolean;
}

/** The table of a page. */
export function TransactionsTable({ transactions, caption, isLoading }: TransactionsTableProps) {
  const { zone } = useRoute();
  const header = (name: string, ofTimes?: string) =>
    columnHeader(`column-${name.toLowerCase().replaceAll(' ', '-')}`, name, ofTimes);
  return (
    <CardTable
      class="transactions"
      caption={caption}
      isLoading={isLoading}
      headers={
        <>
          {header('Created', zone)}
          {header('Reference')}
          {header('Your reference')}
          {header('Status')}
          {header('Paid', zone)}
          {header('Amount')}
        </>
      }
    >
      {transactions.map((transaction) => (
        <Row key={transaction.reference} transaction={transaction} />
      ))}
    </CardTable>
  );
}

function Row({ transaction }: { transaction: Transaction }) {
  const { reference, merchantReference, status, amount, currencyCode, paidAt, createdAt } = transaction;
  const cell = (name: string, ...children: ComponentChildren[]) => (
    <td role="cell" class={`column-${name}`}>
      {children}
    </td>
  );
  return (
    <tr role="row">
      {cell('created', <Timestamp timestamp={createdAt} />)}
      {cell(
        'reference',
        <a class="reference" href={formatRoute({ view: 'transaction', reference })}>
          {reference}
        </a>,
        <CopyButton text={reference} name={`reference ${reference}`} />,
      )}
      {cell(
        'your-reference',
        merchantReference === null ? (
          <Nothing meaning="no reference of yours" />
        ) : (
          <>
            <a class="merchant-reference" href={formatRoute({ view: 'search', text: merchantReference })}>
              {merchantReference}
            </a>
            <CopyButton text={merchantReference} name={`your reference ${merchantReference}`} />
          </>
        ),
      )}
      {cell('status', <StatusBadge status={status} />)}
      {cell('paid', paidAt === null ? <Nothing meaning="not paid" /> : <Timestamp timestamp={paidAt} />)}
      {cell('amount', <Amount amount={amount} currencyCode={currencyCode} />)}
    </tr>
  );
}

/** A dash, with words for screen readers. */
export function Nothing({ meaning }: { meaning: string }) {
  return (
    <span class="nothing">
      <span aria-hidden="true">{'\u2013'}</span>
      <span class="visually-hidden">{meaning}</span>
    </span>
  );
}
