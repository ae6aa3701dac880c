import type { ComponentChildren } from 'preact';
import { type ComparableField, comparedValue } from '../../client/reconcile/compared-fields.ts';
import { containsText } from '../../values/search-pattern.ts';
import type { Transaction } from '../state/api.ts';
import { nowMs } from '../state/clock.ts';
import { columnName, columnOfDetail, columns, shownColumns } from '../state/columns.ts';
import { loadLeft } from '../state/left.ts';
import { formatRoute } from '../state/route.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { useRoute } from '../state/use-route.ts';
import { ageText } from '../text/age.ts';
import { labels, withinSentence } from '../text/labels.ts';
import { texts } from '../text/language.ts';
import { piecesOf, searchedTexts } from '../text/searched.ts';
import { Amount } from './amount.tsx';
import { type CardColumn, CardTable } from './card-table.tsx';
import { CopyButton } from './copy-button.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Timestamp } from './timestamp.tsx';

interface TransactionsTableProps {
  transactions: readonly Transaction[];
  caption: string;
  isLoading: boolean;
  hasAge?: boolean;
  beside?: string | undefined;
  words?: readonly string[] | undefined;
}

const CUSTOMER = columnOfDetail('customer');
const YOUR_REFERENCE = withinSentence(labels.merchantReference);
const ALWAYS: readonly string[] = ['createdAt', 'reference'];

interface Column {
  /** The CSS class without its prefix "column-". */
  class: string;
  cell(transaction: Transaction, words: readonly string[]): ComponentChildren;
}

const COLUMNS = {
  createdAt: {
    class: 'created',
    cell: ({ createdAt }) => <Timestamp timestamp={createdAt} />,
  },
  reference: {
    class: 'reference',
    cell: ({ reference }, words) => (
      <>
        <TransactionLink reference={reference} words={words} />
        <CopyButton text={reference} name={texts.$copyReference(reference)} />
      </>
    ),
  },
  merchantReference: {
    class: 'your-reference',
    cell: ({ merchantReference }, words) =>
      merchantReference === null ? (
        <Nothing meaning={texts.$noYourReference} />
      ) : (
        <>
          <a class="merchant-reference" href={formatRoute({ view: 'search', text: merchantReference })}>
            <Marked text={merchantReference} words={words} />
          </a>
          <CopyButton text={merchantReference} name={`${YOUR_REFERENCE} ${merchantReference}`} />
        </>
      ),
  },
  status: { class: 'status', cell: ({ status }) => <StatusBadge status={status} /> },
  paidAt: {
    class: 'paid',
    cell: ({ paidAt }) =>
      paidAt === null ? <Nothing meaning={texts.$notPaid} /> : <Timestamp timestamp={paidAt} />,
  },
  amount: {
    class: 'amount',
    cell: ({ amount, currencyCode }) => <Amount amount={amount} currencyCode={currencyCode} />,
  },
  age: { class: 'paid', cell: ({ createdAt }) => ageText(nowMs() - Date.parse(createdAt)) },
  relatedTo: {
    class: 'extra',
    cell: ({ relatedTo }) =>
      relatedTo === undefined ? (
        <Nothing meaning={texts.$relatedToNone} />
      ) : (
        <TransactionLink reference={relatedTo} words={[]} />
      ),
  },
  left: {
    class: 'extra',
    cell: ({ relatedTo }) =>
      relatedTo === undefined ? <Nothing meaning={texts.$relatedToNone} /> : <LeftOf reference={relatedTo} />,
  },
} as const satisfies Record<string, Column>;

function LeftOf({ reference }: { reference: string }) {
  const api = useApi();
  const { visit } = useRoute();
  const { loaded, value } = useLoad(
    `${visit} ${reference}`,
    (signal) => loadLeft(api, reference, signal),
    reference,
  );
  if (value !== undefined) return <Amount {...value} />;
  if (loaded.state === 'failed') return <span>{loaded.failure.title}</span>;
  return loaded.state === 'loaded' ? (
    <Nothing meaning={texts.$leftNone} />
  ) : (
    <span class="nothing">{'\u2026'}</span>
  );
}

const columnOf = (column: string): Column =>
  COLUMNS[column as keyof typeof COLUMNS] ?? {
    class: column === CUSTOMER ? 'customer' : 'extra',
    cell: (transaction, words) => {
      const text = comparedValue(transaction, column as ComparableField);
      return text === null ? (
        <Nothing meaning={texts.$noDetail(columnName(column))} />
      ) : (
        <Marked text={text} words={words} />
      );
    },
  };

const foundColumn = (shown: readonly string[]): Column => ({
  class: 'extra',
  cell: (transaction, words) =>
    searchedTexts(transaction)
      .filter(({ text }) => words.some((word) => containsText(text, word)))
      .map(({ column, name, text }) => (
        <span key={column} class="found-in">
          {name}
          {!shown.includes(column) && (
            <>
              {': '}
              <Marked text={text} words={words} />
            </>
          )}
        </span>
      )),
});

export function TransactionsTable(props: TransactionsTableProps) {
  const { transactions, hasAge = false, beside, words = [], ...shown } = props;
  const chosen = shownColumns(columns.use(), transactions);
  const standard = ['createdAt', CUSTOMER, 'reference', 'merchantReference', 'status', 'paidAt'];
  const names = [
    ...standard.filter(
      (column) => ALWAYS.includes(column) || (chosen.includes(column) && !(hasAge && column === 'paidAt')),
    ),
    ...(hasAge ? ['age'] : []),
    ...chosen.filter((column) => !standard.includes(column)),
  ];
  const card = (name: string, column: Column): CardColumn<Transaction> => ({
    class: `column-${column.class}`,
    isRowHeader: column === COLUMNS.reference,
    name,
    cell: (transaction) => column.cell(transaction, words),
  });
  return (
    <div class="table-scroll">
      <CardTable
        {...shown}
        class="transactions"
        columns={[
          ...names.map((name) => card(columnName(name), columnOf(name))),
          ...(words.length > 0 ? [card(texts.$foundIn, foundColumn(names))] : []),
          card(columnName('amount'), COLUMNS.amount),
        ]}
        rows={transactions}
        keyOf={({ reference }) => reference}
        classOf={({ reference }) => (reference === beside ? 'row-beside' : undefined)}
      />
    </div>
  );
}

const TransactionLink = ({ reference, words }: { reference: string; words: readonly string[] }) => (
  <a class="reference" href={formatRoute({ view: 'transaction', reference })}>
    <Marked text={reference} words={words} />
  </a>
);

export function Nothing({ meaning }: { meaning: string }) {
  return (
    <span class="nothing">
      <span aria-hidden="true">{'\u2013'}</span>
      <span class="visually-hidden">{meaning}</span>
    </span>
  );
}

const Marked = ({ text, words }: { text: string; words: readonly string[] }) => (
  <>
    {piecesOf(text, words).map((piece, index) =>
      index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
    )}
  </>
);
