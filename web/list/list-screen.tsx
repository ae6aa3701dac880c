import { useEffect, useRef, useState } from 'preact/hooks';
import { ArchivedNote } from '../parts/archived-note.tsx';
import { Button } from '../parts/button.tsx';
import { FailurePanel, type FailurePanelProps } from '../parts/failure-panel.tsx';
import { FreshNote } from '../parts/fresh-note.tsx';
import { LoadingTable } from '../parts/loading-table.tsx';
import { SlowNote } from '../parts/slow-note.tsx';
import { TableBar } from '../parts/table-bar.tsx';
import { totalCount } from '../parts/totals-table.tsx';
import { TransactionsTable } from '../parts/transactions-table.tsx';
import { useFieldText } from '../search/field-text.ts';
import { announce } from '../state/announce.ts';
import type { TransactionPage } from '../state/api.ts';
import { nowMs } from '../state/clock.ts';
import { columns, extraOf, shownColumns } from '../state/columns.ts';
import type { Failure } from '../state/failure.ts';
import type { FileOrder } from '../state/file-order.ts';
import { loadListPage } from '../state/list-page.ts';
import { newSums, newsOfPage, type ShownTotals } from '../state/news-of-page.ts';
import {
  changesRoute,
  describeFilter,
  type Filter,
  formatRoute,
  hasDays,
  isFiltered,
  type ListRoute,
  listRoute,
  PENDING,
  queryOf,
  type Route,
} from '../state/route.ts';
import { rowsPerPage } from '../state/rows-per-page.ts';
import { setTitle } from '../state/title.ts';
import { useApi } from '../state/use-api.ts';
import type { Live } from '../state/use-live.ts';
import { type Loaded, useLoad } from '../state/use-load.ts';
import { followLink, goNewer, goOlder, navigate, useRoute } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { EmptyPanel } from './empty-panel.tsx';
import { Filters } from './filters.tsx';
import { countText, Pager } from './pager.tsx';
import { ExportMenu } from './save-buttons.tsx';
import { Summary } from './summary.tsx';

interface ListScreenProps {
  route: ListRoute;
  onSave: ((order: FileOrder) => void) | undefined;
  live: Live;
  beside: string | undefined;
}

export function ListScreen(props: ListScreenProps) {
  const { zone } = useRoute();
  const { filter } = props.route;
  const { beside } = props;
  const described = describeFilter(filter, zone);
  useFieldText(filter.merchantReference ?? '', filter.merchantReference === undefined);
  const [totals, setTotals] = useState<ShownTotals>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    if (beside === undefined) setTitle(...(described ? [described] : []));
  }, [described, beside]);

  return (
    <main id="main">
      <div class="heading">
        <h1 tabIndex={-1}>{texts.$transactions}</h1>
      </div>
      <Filters filter={filter} faulty={failure?.faults?.map(({ parameter }) => parameter) ?? []} />
      <Summary {...props} listFailure={failure} onTotals={setTotals} />
      <Page {...props} totals={totals} onFailure={setFailure} />
    </main>
  );
}

interface PageProps extends ListScreenProps {
  totals: ShownTotals | undefined;
  onFailure(failure: Failure | undefined): void;
}

function Page(props: PageProps) {
  const { zone, trail, visit, cameFrom } = useRoute();
  const { route, live, totals, onFailure, beside } = props;
  const api = useApi();
  const { filter, cursor } = route;
  const subject = JSON.stringify(queryOf(filter, zone));
  const rows = rowsPerPage.use();
  const { loaded, value, reload } = useLoad(
    `${visit} ${rows} ${subject}`,
    async (signal) => {
      const { missed } = live;
      return {
        page: await loadListPage(api, filter, zone, { cursor, rows }, signal),
        missed,
        atMs: nowMs(),
      };
    },
    subject,
  );
  const pageNumber = cursor === null ? 1 : trail.length > 0 ? trail.length + 1 : undefined;
  useAnnouncement(
    loaded.state,
    loaded.state === 'loaded' ? loaded.value.page : undefined,
    pageNumber,
    totalOf(filter, totals),
    isFiltered(filter),
  );
  const failure = loaded.state === 'failed' ? loaded.failure : undefined;
  useEffect(() => onFailure(failure), [failure]);
  useFocusOnReturn(loaded.state === 'loaded', beside, cameFrom);
  useScrollToStart(cursor);

  const transactions = value?.page.data ?? [];
  const extra = extraOf(shownColumns(columns.use(), transactions));
  const isLoading = loaded.state === 'loading';
  const list = { filter, zone, isFirstPage: cursor === null, totals };
  const news = value && {
    ...newsOfPage(live.changes, value.page, list),
    hasMissed: live.missed > value.missed,
    hasDays: hasDays(route),
    sums: totals ? newSums(live.changes, totals, zone) : [],
  };
  return (
    <>
      <TableBar
        transactions={transactions}
        action={<ExportMenu order={{ filter, zone, extra }} onSave={props.onSave} />}
      >
        {isLoading ? (
          <span class="fresh fresh-loading">
            {texts.$loadingPage(pageNumber)} <SlowNote key={subject} />
          </span>
        ) : (
          value && (
            <FreshNote
              isLive={live.isLive}
              atMs={Math.min(value.atMs, totals?.atMs ?? value.atMs)}
              {...(news && { news })}
              onShow={() => navigate(route, trail, { isReplaced: true })}
            />
          )
        )}
        <a class="bar-link" href={formatRoute(changesRoute(filter))} onClick={followLink}>
          {texts.$whatChanged}
        </a>
      </TableBar>
      {loaded.state === 'failed' ? (
        <ListFailure {...loaded} filter={filter} onRetry={reload} />
      ) : (
        <Rows {...props} page={value?.page} pageNumber={pageNumber} isLoading={isLoading} />
      )}
    </>
  );
}

const totalOf = (filter: Filter, totals: ShownTotals | undefined): number | undefined =>
  totals && totals.filter.from === filter.from && totals.filter.to === filter.to
    ? totalCount(totals.rows)
    : undefined;

interface RowsProps extends PageProps {
  page: TransactionPage | undefined;
  pageNumber: number | undefined;
  isLoading: boolean;
}

function Rows({ page, route, totals, pageNumber, isLoading, beside }: RowsProps) {
  const { trail } = useRoute();
  const { filter, cursor } = route;
  if (page === undefined || (isLoading && page.data.length === 0)) return <LoadingTable />;
  const hasNote = isFiltered(filter) || totals?.archivedBefore !== undefined;
  if (page.data.length === 0)
    return <EmptyPanel filter={filter} isFirstPage={cursor === null} hasNote={hasNote} />;
  const { data, nextCursor } = page;
  return (
    <>
      {(page.hasMore || cursor !== null) && (
        <p class="print-part">{texts.$onPaper(countText(data.length, totalOf(filter, totals)))}</p>
      )}
      <TransactionsTable
        transactions={data}
        caption={texts.$listCaption}
        isLoading={isLoading}
        hasAge={filter.status === PENDING}
        beside={beside}
      />
      {!page.hasMore && !hasNote && <ArchivedNote archivedBefore={page.archivedBefore} />}
      <Pager
        pageNumber={pageNumber}
        isLoading={isLoading}
        count={data.length}
        total={totalOf(filter, totals)}
        onNewest={() => navigate(listRoute(filter))}
        onNewer={trail.length > 0 ? () => goNewer(route, trail) : undefined}
        onOlder={nextCursor !== null && !isLoading ? () => goOlder(route, trail, nextCursor) : undefined}
      />
    </>
  );
}

const WAIT_MS = 1000;

/** A failure is not announced, because it is shown in an alert, and screen readers speak alerts anyway. */
function useAnnouncement(
  state: Loaded<unknown>['state'],
  page: TransactionPage | undefined,
  pageNumber: number | undefined,
  total: number | undefined,
  hasTotal: boolean,
): void {
  useEffect(() => () => announce(''), []);
  const spoken = useRef<TransactionPage>(undefined);
  useEffect(() => {
    if (state === 'failed') return announce('');
    if (page !== undefined && page === spoken.current) return;
    const say = () => {
      spoken.current = page;
      announce(page === undefined ? texts.$loadingTransactions : textOfPage(page, pageNumber, total));
    };
    const timer = setTimeout(say, page === undefined || (total === undefined && hasTotal) ? WAIT_MS : 0);
    return () => clearTimeout(timer);
  }, [state, page, pageNumber, total]);
}

function textOfPage(
  { data, hasMore }: TransactionPage,
  pageNumber: number | undefined,
  total?: number,
): string {
  const count = pageNumber === 1 ? (total ?? data.length) : data.length;
  if (count === 0) return texts.$noneTransactions;
  return texts.$loadedPage(counted(count, texts.$transaction), pageNumber, !hasMore);
}

/** Scrolls to the start, because the user turned the page with a button at the end. */
function useScrollToStart(cursor: string | null): void {
  const shown = useRef(cursor);
  useEffect(() => {
    if (shown.current === cursor) return;
    shown.current = cursor;
    document.querySelector('.table-bar')?.scrollIntoView({ block: 'nearest' });
  }, [cursor]);
}

function useFocusOnReturn(isLoaded: boolean, beside: string | undefined, cameFrom: Route | undefined): void {
  const isDue = useRef(true);
  useEffect(() => {
    if (beside !== undefined) isDue.current = true;
    if (beside !== undefined || !isLoaded || !isDue.current) return;
    isDue.current = false;
    // If the user closed the transaction by changing a filter, the focus stays at the filter.
    const isFree = document.activeElement?.matches('body, h1');
    if (cameFrom?.view === 'transaction' && isFree)
      document.querySelector<HTMLElement>(`a[href="${CSS.escape(formatRoute(cameFrom))}"]`)?.focus();
  }, [isLoaded, beside]);
}

interface ListFailureProps extends FailurePanelProps {
  filter: Filter;
}

function ListFailure({ filter, ...panel }: ListFailureProps) {
  const button = (label: string, route: ListRoute) => (
    <Button isPrimary onClick={() => navigate(route)}>
      {label}
    </Button>
  );
  const { kind } = panel.failure;
  const actions =
    kind === 'cursor'
      ? button(texts.$newestPage, listRoute(filter))
      : kind === 'refused' && button(texts.$clearFilters, listRoute());
  return <FailurePanel {...panel} actions={actions || undefined} />;
}
