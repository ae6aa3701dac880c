import type { ComponentChildren } from 'preact';
import { Amount } from '../parts/amount.tsx';
import { CardTable } from '../parts/card-table.tsx';
import { useMore } from '../parts/more.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Nothing } from '../parts/transactions-table.tsx';
import { formatRoute } from '../state/route.ts';
import { followLink } from '../state/use-route.ts';
import { labels } from '../text/labels.ts';
import { texts as page } from '../text/language.ts';
import type { Recorded } from './findings.ts';
import type { Changed } from './load-changes.ts';
import { texts } from './texts.ts';

interface Column {
  name: string;
  cell(one: Recorded): ComponentChildren;
}

const TIMES = { createdAt: labels.createdAt, paidAt: labels.paidAt, recordedAt: texts.$recorded };
type Time = keyof typeof TIMES;

type Row = Recorded & Partial<Pick<Changed, 'previousStatus'>>;

interface RowsProps {
  caption: string;
  rows: readonly Row[];
  time: Time;
  timeName?: string;
  columns?: readonly Column[];
}

const FIRST = 10;
const MORE = 100;

export function Rows({ caption, rows, time, timeName = TIMES[time], columns = [] }: RowsProps) {
  const [shown, more] = useMore(rows, FIRST, MORE);
  if (rows.length === 0) return null;
  return (
    <>
      <div class="table-scroll">
        <CardTable<Row>
          class="transactions"
          caption={caption}
          columns={[
            {
              class: 'column-created',
              name: timeName,
              cell: (one) => <Timestamp timestamp={one[time] ?? one.createdAt} />,
            },
            { class: 'column-reference', name: labels.reference, isRowHeader: true, cell: referenceOf },
            { class: 'column-your-reference', name: labels.merchantReference, cell: yourReferenceOf },
            {
              class: 'column-status',
              name: labels.status,
              cell: ({ status, previousStatus }) => <Status status={status} before={previousStatus} />,
            },
            ...columns.map((column) => ({ class: 'column-extra', ...column })),
            { class: 'column-amount', name: labels.amount, cell: (one) => <Amount {...one} /> },
          ]}
          rows={shown}
          keyOf={({ reference }) => reference}
        />
      </div>
      {more}
    </>
  );
}

const referenceOf = ({ reference }: Recorded) => (
  <a class="reference" href={formatRoute({ view: 'transaction', reference })} onClick={followLink}>
    {reference}
  </a>
);

const yourReferenceOf = ({ merchantReference }: Recorded) =>
  merchantReference === null ? (
    <Nothing meaning={page.$noYourReference} />
  ) : (
    <span class="merchant-reference">{merchantReference}</span>
  );

interface StatusProps {
  status: string;
  before: string | null | undefined;
}

const Status = ({ status, before }: StatusProps) => (
  <span class="review-change">
    {before === null && texts.$new}
    {before && <StatusBadge status={before} />}
    {before !== undefined && ' \u2192 '}
    <StatusBadge status={status} />
  </span>
);
