import { type ComponentChildren, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Api, Totals } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { type Filter, type ListRoute, queryOf } from '../state/route.ts';
import { type Retry, useLoad } from '../state/use-load.ts';
import { counted } from '../text/count.ts';
import type { DayRange } from '../text/date-range.ts';
import { timeParts } from '../text/time.ts';
import { ChartSlot } from './chart-slot.ts';
import { FailureText } from './failure-panel.ts';
import { PendingAges } from './pending-ages.ts';
import { PeriodHead, usePeriod } from './period-head.ts';
import { RetryNotice } from './retry-notice.ts';
import { LoadingTotals, TotalsTable, totalCount } from './totals-table.ts';

interface SummaryProps {
  api: Api;
  route: ListRoute;
  zone: string;
  /** A new number sends the request again. */
  visit: number;
  /** How many transactions the list has, or undefined as long as that is unknown. */
  onTotal(total: number | undefined): void;
  onFailure(failure: Failure): void;
}

/** What the filters match, in sums. It loads beside the list, and takes the same room before and after. */
export function Summary(props: SummaryProps) {
  if (props.route.filter.merchantReference === undefined) return h(LoadedSummary, props);
  return h(
    'section',
    { class: 'summary-note', 'aria-label': 'Totals' },
    'Totals are not shown for a filter by your reference. A CSV or Excel file of this filter has its sums.',
  );
}

function LoadedSummary({ api, route, zone, visit, onTotal, onFailure }: SummaryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const period = usePeriod(route.filter, zone);
  const { filter, before, isDefault } = period;
  // Another page of the same list has the same totals.
  const sent = queryOf(filter, zone);
  const filtered = JSON.stringify([sent, before]);
  const shown = useRef({ filtered, visit });
  if (route.cursor === null || shown.current.filtered !== filtered) shown.current = { filtered, visit };
  const query = `${shown.current.visit} ${filtered}`;
  const { loaded, reload } = useLoad(
    query,
    // One turn later, so that the request of the list is sent first.
    async (signal) => {
      await undefined;
      const [totals, earlier] = await Promise.all([
        api.totals(sent, signal),
        before && api.totals({ ...sent, ...before }, signal),
      ]);
      return { totals, earlier, before, filter, query, atMs: Date.now() };
    },
    onFailure,
    filtered,
  );
  const value =
    loaded.state === 'loaded' ? loaded.value : loaded.state === 'loading' ? loaded.previous : undefined;
  const total = loaded.state === 'loaded' ? totalCount(loaded.value.totals.data) : undefined;
  useEffect(() => {
    onTotal(isDefault ? undefined : total);
    return () => onTotal(undefined);
  }, [total, isDefault]);
  if (loaded.state === 'failed') {
    const { failure, retry } = loaded;
    // The list has the same faults, and shows them in its place.
    return failure.kind === 'refused' ? null : h(FailedSummary, { failure, retry, onRetry: reload });
  }
  // An empty list says so itself.
  if (total === 0 && !isDefault) return null;

  const isLoading = loaded.state === 'loading';
  const count = value && counted(totalCount(value.totals.data), 'transaction');
  const ages =
    canHavePending(route.filter) &&
    h(PendingAges, { api, filter: route.filter, zone, visit: shown.current.visit, onFailure });
  return h(
    'section',
    {
      class: `summary${isLoading ? ' summary-stale' : ''}${isOpen ? ' summary-open' : ''}`,
      'aria-busy': isLoading,
      'aria-label': 'Totals',
    },
    h(
      PeriodHead,
      { period, zone },
      h(
        'button',
        {
          type: 'button',
          class: 'totals-toggle',
          'aria-expanded': isOpen,
          onClick: () => setIsOpen(!isOpen),
        },
        `${count ?? 'Totals'}${isDefault ? ' this month' : ''}`,
      ),
      h(
        'span',
        { class: `summary-time${isLoading ? ' fresh-loading' : ''}` },
        isLoading
          ? 'Loading\u2026'
          : value && `${count}, at ${timeParts(new Date(value.atMs).toISOString(), zone).time.slice(0, 5)}`,
      ),
    ),
    value === undefined ? h(LoadingTotals, null) : h(Figures, { api, ...value, zone, onFailure }, ages),
  );
}

interface FiguresProps {
  api: Api;
  totals: Totals;
  /** The totals of the days `before`. */
  earlier: Totals | undefined;
  before: DayRange | undefined;
  filter: Filter;
  query: string;
  zone: string;
  children?: ComponentChildren;
  onFailure(failure: Failure): void;
}

function Figures({ api, totals, earlier, before, filter, query, zone, children, onFailure }: FiguresProps) {
  const rows = totals.data;
  const rowsBefore = earlier?.data ?? [];
  if (rows.length + rowsBefore.length === 0)
    return h('div', { class: 'totals' }, 'No transactions were created on these days.', children);
  return [
    h(TotalsTable, { title: 'Totals', rows, list: { filter, zone }, before: before && rowsBefore }, children),
    rows.length > 0 && h(ChartSlot, { api, filter, before, zone, version: query, totals, onFailure }),
  ];
}

/** How old what is pending is says something only without days. */
const canHavePending = ({ status, from, to }: Filter) =>
  !from && !to && (status === undefined || status === 'pending');

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
