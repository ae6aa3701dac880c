import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useFieldText } from '../search/field-text.ts';
import { announce } from '../state/announce.ts';
import type { Api, TransactionPage } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import type { FileOrder } from '../state/file-order.ts';
import { loadListPage } from '../state/list-page.ts';
import { newsOfPage } from '../state/news-of-page.ts';
import { describeFilter, type Filter, type ListRoute, listRoute, queryOf } from '../state/route.ts';
import { setTitle } from '../state/title.ts';
import { useCurrencies } from '../state/use-currencies.ts';
import type { Live } from '../state/use-live.ts';
import { type Loaded, useLoad } from '../state/use-load.ts';
import { goNewer, goOlder, navigate, type Trail } from '../state/use-route.ts';
import { EmptyPanel } from './empty-panel.ts';
import { FilterChips } from './filter-chips.ts';
import { FilterForm } from './filter-form.ts';
import { FiltersToggle } from './filters-toggle.ts';
import { FreshNote } from './fresh-note.ts';
import { ListFailure } from './list-failure.ts';
import { LoadingTable } from './loading-table.ts';
import { loadingText, Pager } from './pager.ts';
import { SaveButtons } from './save-buttons.ts';
import { SlowNote } from './slow-note.ts';
import { Summary } from './summary.ts';
import { TransactionsTable } from './transactions-table.ts';
import { ZoneSwitch } from './zone-switch.ts';

interface ListScreenProps {
  api: Api;
  route: ListRoute;
  trail: Trail;
  /** A new number sends the request again. */
  visit: number;
  zone: string;
  /** Undefined while a file is being saved. */
  onSave: ((order: FileOrder) => void) | undefined;
  live: Live;
  onZone(zone: string): void;
  onFailure(failure: Failure): void;
}

/** The list: its filters, its pages and its files. */
export function ListScreen(props: ListScreenProps) {
  const { api, route, zone, onSave, onZone } = props;
  const { filter } = route;
  const described = describeFilter(filter, zone);
  useFieldText(filter.merchantReference ?? '', filter.merchantReference === undefined);
  const [isFiltering, setIsFiltering] = useState(false);
  const [total, setTotal] = useState<number>();
  const [faulty, setFaulty] = useState<readonly string[]>([]);
  const apply = (applied: Filter) => {
    setIsFiltering(false);
    navigate(listRoute(applied));
  };
  useEffect(() => {
    setTitle(...(described ? [described] : []));
  }, [described]);

  return h(
    'main',
    { id: 'main' },
    h(
      'div',
      { class: 'heading' },
      h('h1', { tabIndex: -1 }, 'Transactions'),
      h(FilterChips, { filter, zone }),
      h(
        'div',
        { class: 'heading-actions' },
        h(FiltersToggle, { filter, isOpen: isFiltering, onToggle: () => setIsFiltering(!isFiltering) }),
        // Other days are those of creation, until others are chosen.
        h(SaveButtons, {
          order: { filter, zone },
          onSave,
          key: `${filter.from} ${filter.to}`,
        }),
      ),
    ),
    h(FilterForm, {
      filter,
      zone,
      currencies: useCurrencies(api),
      faulty,
      isOpen: isFiltering,
      onApply: apply,
      onZone,
    }),
    h(Summary, { ...props, onTotal: setTotal }),
    h(Page, { ...props, total, onFaulty: setFaulty }),
  );
}

interface PageProps extends ListScreenProps {
  total: number | undefined;
  /** The filters that the service refuses. */
  onFaulty(names: readonly string[]): void;
}

function Page(props: PageProps) {
  const { api, route, trail, visit, zone, total, live, onZone, onFaulty, onFailure } = props;
  const { filter, cursor } = route;
  const subject = JSON.stringify(queryOf(filter, zone));
  const { loaded, reload } = useLoad(
    `${visit} ${subject}`,
    async (signal) => {
      const { missed } = live;
      return { page: await loadListPage(api, filter, zone, cursor, signal), missed, atMs: Date.now() };
    },
    onFailure,
    subject,
  );
  const pageNumber = cursor === null ? 1 : trail.length > 0 ? trail.length + 1 : undefined;
  const value =
    loaded.state === 'loaded' ? loaded.value : loaded.state === 'loading' ? loaded.previous : undefined;
  useAnnouncement(loaded.state, loaded.state === 'loaded' ? loaded.value.page : undefined, pageNumber);
  const faults = loaded.state === 'failed' ? loaded.failure.faults : undefined;
  useEffect(() => {
    if (faults === undefined) return;
    onFaulty(faults.map(({ parameter }) => parameter));
    return () => onFaulty([]);
  }, [faults]);
  useFocusOnReturn(loaded.state === 'loaded');
  useScrollToStart(cursor);

  const isLoading = loaded.state === 'loading';
  const news = value && {
    ...newsOfPage(live, value.page, filter, zone, cursor === null),
    hasMissed: live.missed > value.missed,
  };
  const bar = h(
    'div',
    { class: 'table-bar' },
    isLoading
      ? h(
          'span',
          { class: 'fresh fresh-loading' },
          loadingText(pageNumber),
          ' ',
          h(SlowNote, { key: subject }),
        )
      : value &&
          h(FreshNote, {
            isLive: live.isLive,
            atMs: value.atMs,
            zone,
            ...(news && { news }),
            onShow: () => navigate(route, trail, true),
          }),
    h(ZoneSwitch, { zone, onChange: onZone }),
  );
  if (loaded.state === 'failed') {
    const { failure, retry } = loaded;
    return [bar, h(ListFailure, { failure, retry, filter, onRetry: reload })];
  }
  const page = value?.page;
  if (page === undefined || (isLoading && page.data.length === 0)) return [bar, h(LoadingTable, null)];
  if (page.data.length === 0) return [bar, h(EmptyPanel, { filter, zone, isFirstPage: cursor === null })];

  const { data, nextCursor } = page;
  return [
    bar,
    h(TransactionsTable, { transactions: data, zone, caption: 'Transactions, newest first', isLoading }),
    h(Pager, {
      pageNumber,
      isLoading,
      count: data.length,
      total,
      onNewest: () => navigate(listRoute(filter)),
      onNewer: trail.length > 0 ? () => goNewer(route, trail) : undefined,
      onOlder: nextCursor !== null && !isLoading ? () => goOlder(route, trail, nextCursor) : undefined,
    }),
  ];
}

/** Announces a page to screen readers. A failure needs no announcement, because it is an alert. */
function useAnnouncement(
  state: Loaded<unknown>['state'],
  page: TransactionPage | undefined,
  pageNumber: number | undefined,
): void {
  useEffect(() => () => announce(''), []);
  useEffect(() => {
    if (page === undefined) return announce(state === 'loading' ? 'Loading transactions' : '');
    const place = pageNumber === undefined ? '' : `, page ${pageNumber}`;
    const last = page.hasMore ? '' : ', the last';
    announce(page.data.length === 0 ? 'No transactions' : `${page.data.length} transactions${place}${last}`);
  }, [state, page, pageNumber]);
}

/** Scrolls a new page to its start: its button is at the end of the page before it. */
function useScrollToStart(cursor: string | null): void {
  const shown = useRef(cursor);
  useEffect(() => {
    if (shown.current === cursor) return;
    shown.current = cursor;
    document.querySelector('.table-bar')?.scrollIntoView({ block: 'nearest' });
  }, [cursor]);
}

let openedFrom: string | undefined;

/** Returns the focus to the row from which a transaction was opened. */
function useFocusOnReturn(isLoaded: boolean): void {
  const isFirst = useRef(true);
  useEffect(() => {
    const remember = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a.reference');
      if (link !== null) openedFrom = link.getAttribute('href') ?? undefined;
    };
    document.addEventListener('click', remember);
    return () => document.removeEventListener('click', remember);
  }, []);
  useEffect(() => {
    if (!isLoaded || !isFirst.current) return;
    isFirst.current = false;
    if (openedFrom !== undefined)
      document.querySelector<HTMLElement>(`a[href="${CSS.escape(openedFrom)}"]`)?.focus();
    openedFrom = undefined;
  }, [isLoaded]);
}
