import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Api } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { type ListRoute, queryOf } from '../state/route.ts';
import { type Retry, useLoad } from '../state/use-load.ts';
import { adviseRange } from '../text/date-range.ts';
import { ChartSlot } from './chart-slot.ts';
import { FailureText } from './failure-panel.ts';
import { RetryNotice } from './retry-notice.ts';
import { LoadingTotals, TotalsTable, totalCount } from './totals-table.ts';
import { TotalsToggle } from './totals-toggle.ts';

interface SummaryProps {
  api: Api;
  route: ListRoute;
  zone: string;
  /** A new number sends the request again. */
  visit: number;
  /** How many transactions match, or undefined as long as that is unknown. */
  onTotal(total: number | undefined): void;
  onFailure(failure: Failure): void;
}

/** What the filters match, in sums. It loads beside the list, and takes the same room before and after. */
export function Summary(props: SummaryProps) {
  if (props.route.filter.merchantReference === undefined) return h(LoadedSummary, props);
  return h(
    'section',
    { class: 'summary-note', 'aria-label': 'Totals' },
    'There are no totals for a filter by your reference. A CSV or Excel file of this filter has its sums.',
  );
}

function LoadedSummary({ api, route: { filter, cursor }, zone, visit, onTotal, onFailure }: SummaryProps) {
  // Another page of the same list has the same totals.
  const sent = queryOf(filter, zone);
  const filtered = JSON.stringify(sent);
  const shown = useRef({ filtered, visit });
  const [isOpen, setIsOpen] = useState(false);
  if (cursor === null || shown.current.filtered !== filtered) shown.current = { filtered, visit };
  const query = `${shown.current.visit} ${filtered}`;
  const { loaded, reload } = useLoad(
    query,
    // One turn later, so that the request of the list is sent first.
    async (signal) => {
      await undefined;
      return { ...(await api.totals(sent, signal)), filter, query };
    },
    onFailure,
  );
  const total = loaded.state === 'loaded' ? totalCount(loaded.value) : undefined;
  useEffect(() => {
    onTotal(total);
    return () => onTotal(undefined);
  }, [total]);
  const isLong = adviseRange(filter.from, filter.to).kind === 'long';
  if (loaded.state === 'failed') {
    const { failure, retry } = loaded;
    // The list has the same faults, and shows them in its place.
    if (failure.kind === 'refused' && !isLong) return null;
    return h(FailedSummary, { failure, retry, onRetry: reload });
  }
  const totals = loaded.state === 'loaded' ? loaded.value : loaded.previous;
  // An empty list says so itself.
  if (totals?.data.length === 0 && loaded.state === 'loaded')
    return isLong
      ? h('section', { class: 'summary-note', 'aria-label': 'Totals' }, 'No transaction matches.')
      : null;
  const isLoading = loaded.state === 'loading';
  return h(
    'section',
    {
      class: `summary${isLoading ? ' summary-stale' : ''}${isOpen ? ' summary-open' : ''}`,
      'aria-busy': isLoading,
      'aria-label': 'Totals',
    },
    totals === undefined || totals.data.length === 0
      ? h(LoadingTotals, null)
      : [
          h(TotalsToggle, { totals, isOpen, onToggle: () => setIsOpen(!isOpen), key: 'toggle' }),
          h(TotalsTable, { totals, key: 'totals' }),
          h(ChartSlot, {
            api,
            filter: totals.filter,
            zone,
            version: totals.query,
            totals,
            onFailure,
            key: 'chart',
          }),
        ],
  );
}

interface FailedSummaryProps {
  failure: Failure;
  retry: Retry | undefined;
  onRetry(): void;
}

function FailedSummary({ failure, retry, onRetry }: FailedSummaryProps) {
  return h(
    'section',
    { class: 'summary summary-failed', 'aria-label': 'Totals' },
    h(
      'div',
      { class: 'summary-failure' },
      h('p', { class: 'summary-failure-title' }, `The totals could not be loaded: ${failure.title}`),
      h(FailureText, { failure }),
      retry && h(RetryNotice, { retry }),
    ),
    h('button', { type: 'button', class: 'button', onClick: onRetry }, 'Load the totals again'),
  );
}
