import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type DayRange, monthAt } from '../../values/calendar.ts';
import { Chart, type ChartProps } from '../chart/chart.tsx';
import { ArchivedNote, ArchivedOfAccount } from '../parts/archived-note.tsx';
import { Button } from '../parts/button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { PendingAges } from '../parts/pending-ages.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { type Comparison, difference, sum, sumsOf, TotalsTable, totalCount } from '../parts/totals-table.tsx';
import type { Api, Totals, TotalsRow } from '../state/api.ts';
import { nowMs } from '../state/clock.ts';
import type { Failure } from '../state/failure.ts';
import type { ShownTotals } from '../state/news-of-page.ts';
import {
  addressOf,
  type Filter,
  isByPayment,
  type ListRoute,
  PENDING,
  pendingList,
  queryOf,
  reviewRoute,
} from '../state/route.ts';
import { Signal } from '../state/signal.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { followLink, useRoute } from '../state/use-route.ts';
import { counted, number } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { daysInCurrency, nameOfDays, rangeText } from '../text/month.ts';
import { changeText } from '../text/overview.ts';
import { capital, statusText } from '../text/status.ts';
import { dayIn, timeParts } from '../text/time.ts';
import { CompareChoice, daysText, type Period, PeriodHead, usePeriod } from './period-head.tsx';

interface SummaryProps {
  route: ListRoute;
  listFailure: Failure | undefined;
  onTotals(totals: ShownTotals | undefined): void;
}

export function Summary(props: SummaryProps) {
  if (props.route.filter.merchantReference === undefined) return <LoadedSummary {...props} />;
  return (
    <section class="summary-note" aria-label={texts.$totals}>
      {texts.$totalsOfReference}
      <ArchivedOfAccount />
    </section>
  );
}

function LoadedSummary({ route, listFailure, onTotals }: SummaryProps) {
  const { zone, visit } = useRoute();
  const api = useApi();
  const [isOpen, setIsOpen] = useState(false);
  const period = usePeriod(route.filter, zone);
  const { filter, before, isDefault } = period;
  const sent = queryOf(filter, zone);
  const month = monthOf(filter);
  const filtered = JSON.stringify(sent);
  const shown = useRef({ filtered, visit });
  if (route.cursor === null || shown.current.filtered !== filtered) shown.current = { filtered, visit };
  const query = `${shown.current.visit} ${filtered} ${JSON.stringify(before)}`;
  const { loaded, value, reload } = useLoad(
    query,
    // Waits for a microtask, so that the list's request is sent first.
    async (signal) => {
      await undefined;
      return { ...(await loadFigures(api, period, zone, signal)), before, filter, query };
    },
    filtered,
  );
  const total = loaded.state === 'loaded' ? totalCount(loaded.value.totals.data) : undefined;
  useEffect(() => {
    if (loaded.state !== 'loaded') return;
    const { totals, filter: ofSums, archivedBefore, atMs } = loaded.value;
    onTotals({ rows: totals.data, asOf: totals.asOf, filter: ofSums, archivedBefore, atMs });
    return () => onTotals(undefined);
  }, [loaded.state === 'loaded' && loaded.value]);
  if (loaded.state === 'failed') {
    const { failure } = loaded;
    // If the list and the sums failed for the same reason, only the list shows the failure.
    return failure.kind === 'refused' || failure.title === listFailure?.title ? null : (
      <section class="summary" aria-label={texts.$totals}>
        <FailurePanel missing={texts.$totalsFailed} again={texts.$loadTotals} {...loaded} onRetry={reload} />
      </section>
    );
  }
  if (loaded.state === 'loaded' && total === 0 && (!isDefault || period.isFirstDay))
    return <ArchivedNote archivedBefore={loaded.value.totals.archivedBefore} />;

  const isLoading = loaded.state === 'loading';
  const count = value && counted(totalCount(value.totals.data), texts.$transaction);
  const comparison = value?.query === query ? value.comparison : undefined;
  return (
    <section
      class={`summary${isLoading ? ' summary-stale' : ''}${isOpen ? ' summary-open' : ''}`}
      aria-busy={isLoading}
      aria-label={texts.$totals}
    >
      <Toolbar class="summary-parts" label={texts.$totals}>
        <div class="answer">
          <PeriodHead period={period} />
          {value && <Answer rows={value.totals.data} comparison={comparison} period={period} />}
          <p>{daysText(period)}</p>
          <p class={isLoading ? 'fresh-loading' : ''}>
            {isLoading ? texts.$loading : count && texts.$countAt(count, timeParts(value.atMs, zone).minute)}
          </p>
          {value && <ArchivedNote archivedBefore={value.archivedBefore} />}
          {month && value && (
            <MonthState
              name={capital(daysInCurrency(month, value.filter.currency))}
              filter={value.filter}
              pending={value.pending}
            />
          )}
          {value && canHavePending(route.filter) && (
            <PendingAges filter={route.filter} visit={shown.current.visit} />
          )}
        </div>
        {value && (
          <Figures
            {...value}
            comparison={comparison}
            period={period}
            isOpen={isOpen}
            onToggle={() => setIsOpen(!isOpen)}
          />
        )}
      </Toolbar>
    </section>
  );
}

interface AnswerProps {
  rows: readonly TotalsRow[];
  comparison: Comparison | undefined;
  period: Period;
}

function Answer({ rows, comparison, period: { filter, isDefault } }: AnswerProps) {
  const { status, from = '' } = filter;
  const [main] = sumsOf(rows, comparison, status);
  if (main === undefined) return null;
  return (
    <>
      <p class="answer-sum">
        <span class="answer-label">
          {status === undefined ? texts.$net : statusText(status)}
          {isDefault && <span class="answer-month">{`, ${nameOfDays(from, monthAt(from).to)}`}</span>}
        </span>{' '}
        {sum(main, main.sumMinor)}
      </p>
      {comparison && <p class="answer-difference">{difference(main.compared, comparison)}</p>}
    </>
  );
}

const monthOf = ({ status, from, to }: Filter) => (status === undefined ? nameOfDays(from, to) : undefined);

async function loadFigures(
  api: Api,
  { filter, finished, days, before }: Period,
  zone: string,
  signal: AbortSignal,
) {
  const ofPaid = monthOf(filter) && isByPayment(filter) ? pendingList(filter) : undefined;
  const [totals, earlier, ofFinished, ofPending] = await Promise.all([
    api.totals(queryOf(filter, zone), signal),
    before && api.totals(queryOf({ ...filter, ...before }, zone), signal),
    before && finished && api.totals(queryOf({ ...filter, ...finished }, zone), signal),
    ofPaid && api.totals(queryOf(ofPaid, zone), signal),
  ]);
  const pending = ofPending?.data ?? totals.data.filter(({ status }) => status === PENDING);
  const comparison = before &&
    earlier && {
      before: earlier.data,
      now: (ofFinished ?? totals).data,
      daysBefore: rangeText(before),
      name: texts.$differenceIs(rangeText(finished ?? days), rangeText(before)),
    };
  return {
    totals,
    comparison,
    archivedBefore: totals.archivedBefore ?? earlier?.archivedBefore,
    pending: totalCount(pending),
    atMs: nowMs(),
  };
}

interface MonthStateProps {
  name: string;
  filter: Filter;
  pending: number;
}

function MonthState({ name, filter, pending }: MonthStateProps) {
  const { zone } = useRoute();
  const isFinished = pending === 0 && (filter.to as string) < dayIn(zone);
  return (
    <p>
      {isFinished ? texts.$isFinished(name) : texts.$isOpen(name, pending > 0 ? number(pending) : '')}
      {'. '}
      <a href={addressOf(reviewRoute(filter), zone)} onClick={followLink}>
        {texts.$reviewMonth}
      </a>
    </p>
  );
}

interface FiguresProps {
  totals: Totals;
  comparison: Comparison | undefined;
  before: DayRange | undefined;
  filter: Filter;
  query: string;
  period: Period;
  isOpen: boolean;
  onToggle(): void;
}

const MAX_OTHERS = 4;

function Figures(props: FiguresProps) {
  const { totals, comparison, before, filter, query, period, isOpen, onToggle } = props;
  const { zone } = useRoute();
  const rows = totals.data;
  if (rows.length + (comparison?.before.length ?? 0) === 0) return null;
  const [, ...others] = sumsOf(rows, comparison, filter.status);
  return (
    <>
      {rows.length > 0 && <ChartSlot filter={filter} before={before} version={query} totals={totals} />}
      <div class="summary-foot">
        {others.slice(0, MAX_OTHERS).map((one) => (
          <span key={one.currency} class="summary-other">
            {sum(one, one.sumMinor)}
            {comparison && one.compared.beforeMinor !== undefined && (
              <span class="totals-count">{changeText(one.compared.sumMinor, one.compared.beforeMinor)}</span>
            )}
          </span>
        ))}
        <CompareChoice period={period} />
        <Button class="chip totals-toggle" aria-expanded={isOpen} onClick={onToggle}>
          {texts.$allSums}
          <Icon name="down" />
        </Button>
      </div>
      <TotalsTable title={texts.$totals} rows={rows} list={{ filter, zone }} comparison={comparison} />
    </>
  );
}

const canHavePending = ({ status = PENDING, from, to }: Filter) => !from && !to && status === PENDING;

const isChartOpen = new Signal(false);

/** If the chart does not fit next to the sums, it would move the list down, so only a button is shown. */
function ChartSlot(props: ChartProps) {
  const [fits, setFits] = useState(false);
  const isShown = isChartOpen.use() || fits;
  const slot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { offsetTop, offsetWidth, previousElementSibling } = slot.current as HTMLElement;
    if (offsetWidth > 0 && offsetTop === (previousElementSibling as HTMLElement).offsetTop) setFits(true);
  }, []);
  const open = () => {
    isChartOpen.value = true;
  };
  return (
    <div class="chart-place" ref={slot}>
      {isShown ? (
        <Chart {...props} />
      ) : (
        <Button class="link chart-open" onClick={open}>
          {texts.$showChart}
        </Button>
      )}
    </div>
  );
}
