import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Amount } from '../parts/amount.tsx';
import { Button } from '../parts/button.tsx';
import { CardTable, columnHeader } from '../parts/card-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Nothing } from '../parts/transactions-table.tsx';
import { formatRoute } from '../state/route.ts';
import { followLink, useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { texts as page } from '../text/language.ts';
import type { Recorded } from './findings.ts';
import type { Changed } from './load-changes.ts';
import { texts } from './texts.ts';

/** A column that only some tables have. */
interface Column {
  name: string;
  cell(one: Recorded): ComponentChildren;
}

const TIMES = { createdAt: page.$created, paidAt: page.$paid, recordedAt: texts.$recorded };
type Time = keyof typeof TIMES;

interface RowsProps {
  caption: string;
  rows: readonly (Recorded & Partial<Pick<Changed, 'previousStatus'>>)[];
  /** What the first column has. */
  time: Time;
  columns?: readonly Column[];
}

const FIRST = 10;
const MORE = 100;

/** A table of the first transactions, with a button for more. */
export function Rows({ caption, rows, time, columns = [] }: RowsProps) {
  const { zone } = useRoute();
  const [shown, setShown] = useState(FIRST);
  if (rows.length === 0) return null;
  const timeName = TIMES[time];
  return (
    <>
      <div class="table-scroll">
        <CardTable
          class="transactions"
          caption={caption}
          isLoading={false}
          headers={
            <>
              {columnHeader('column-created', timeName, zone)}
              {columnHeader('column-reference', page.$reference)}
              {columnHeader('column-your-reference', page.$yourReference)}
              {columnHeader('column-status', page.$status)}
              {columns.map(({ name }) => columnHeader('column-extra', name))}
              {columnHeader('column-amount', page.$amount)}
            </>
          }
        >
          {rows.slice(0, shown).map((one) => {
            const { reference, merchantReference, status, amount, currencyCode } = one;
            return (
              <tr key={reference} role="row">
                <td role="cell" class="column-created" data-name={timeName}>
                  <Timestamp timestamp={one[time] ?? one.createdAt} />
                </td>
                <td role="cell" class="column-reference" data-name={page.$reference}>
                  <a
                    class="reference"
                    href={formatRoute({ view: 'transaction', reference })}
                    onClick={followLink}
                  >
                    {reference}
                  </a>
                </td>
                <td role="cell" class="column-your-reference" data-name={page.$yourReference}>
                  {merchantReference === null ? (
                    <Nothing meaning={page.$noYourReference} />
                  ) : (
                    <span class="merchant-reference">{merchantReference}</span>
                  )}
                </td>
                <td role="cell" class="column-status" data-name={page.$status}>
                  <Status status={status} before={one.previousStatus} />
                </td>
                {columns.map(({ name, cell }) => (
                  <td key={name} role="cell" class="column-extra" data-name={name}>
                    {cell(one)}
                  </td>
                ))}
                <td role="cell" class="column-amount" data-name={page.$amount}>
                  <Amount amount={amount} currencyCode={currencyCode} />
                </td>
              </tr>
            );
          })}
        </CardTable>
      </div>
      {rows.length > shown && (
        <p class="review-more">
          <span>{texts.$shown(number(shown), number(rows.length))}</span>
          <Button onClick={() => setShown(shown + MORE)}>
            {texts.$showMore(number(Math.min(MORE, rows.length - shown)))}
          </Button>
        </p>
      )}
    </>
  );
}

interface StatusProps {
  status: string;
  /** Null if the transaction is new, undefined if that is not said. */
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
