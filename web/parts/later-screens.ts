import { h } from 'preact';
import type { SavedFileProps } from '../state/file-order.ts';
import type { MisspeltRoute, Route } from '../state/route.ts';
import type { SearchScreenProps } from '../state/search-props.ts';
import type { TimelineProps } from '../state/timeline-props.ts';
import type { Loaded } from '../state/use-load.ts';
import { usePart } from '../state/use-part.ts';
import type { NoReadScreenProps, WebhooksScreenProps } from '../state/webhooks-props.ts';
import type { EmptyPanelProps } from './empty-panel.ts';
import { FailurePanel } from './failure-panel.ts';
import { LoadingTable } from './loading-table.ts';
import type { LocalDaysProps } from './local-days-note.ts';
import type { LongRangePanelProps } from './long-range-panel.ts';
import type { OtherAccountScreenProps } from './other-account-screen.ts';

/* The screens and panels whose code is not loaded with the list. */

export function Webhooks(props: WebhooksScreenProps) {
  const part = usePart('webhooks', () => import('../webhooks/webhooks-screen.ts'), [
    new URL('../styles/webhooks.css', import.meta.url),
    new URL('../styles/failures.css', import.meta.url),
  ]);
  const { loaded } = part;
  if (loaded.state === 'loaded') return h(loaded.value.WebhooksScreen, props);
  return h(Waiting, { title: 'Webhooks', ...part });
}

/** For a key without the scope `read`: what it can do here. */
export function NoRead(props: NoReadScreenProps) {
  const part = usePart('no-read', () => import('../webhooks/no-read-screen.ts'));
  const { loaded } = part;
  if (loaded.state === 'loaded') return h(loaded.value.NoReadScreen, props);
  return h(Waiting, { title: 'Transactions', ...part });
}

export function Misspelt(props: { route: MisspeltRoute }) {
  const part = usePart('misspelt', () => import('./misspelt-screen.ts'));
  const { loaded } = part;
  if (loaded.state === 'loaded') return h(loaded.value.MisspeltScreen, props);
  return h(Waiting, { title: 'Transactions', ...part });
}

export function OtherAccount(props: Omit<OtherAccountScreenProps, 'route'> & { route: Route }) {
  const part = usePart('other-account', () => import('./other-account-screen.ts'));
  const { loaded } = part;
  const { route } = props;
  if (loaded.state === 'loaded' && route.view !== 'misspelt')
    return h(loaded.value.OtherAccountScreen, { ...props, route });
  return h(Waiting, { title: 'Transactions', ...part });
}

export function Search(props: SearchScreenProps) {
  const part = usePart('search', () => import('../search/search-screen.ts'));
  const { loaded } = part;
  if (loaded.state === 'loaded') return h(loaded.value.SearchScreen, props);
  return h(Waiting, { title: 'Transactions', ...part });
}

/** The rest of the screen of a transaction is complete without it. */
export function Timeline(props: TimelineProps) {
  const { loaded, reload } = usePart('timeline', () => import('../timeline/timeline.ts'), [
    new URL('../styles/timeline.css', import.meta.url),
  ]);
  if (loaded.state === 'loaded') return h(loaded.value.Timeline, props);
  return h(Failed, { loaded, reload });
}

/** Saves a file. */
export function SavedFile(props: SavedFileProps) {
  const { loaded, reload } = usePart('export', () => import('../export/export-panel.ts'), [
    new URL('../styles/export.css', import.meta.url),
  ]);
  if (loaded.state === 'loaded') return h(loaded.value.ExportPanel, props);
  return props.route.view === 'list' && h(Failed, { loaded, reload });
}

export function EmptyList(props: EmptyPanelProps) {
  const { loaded, reload } = usePart('empty', () => import('./empty-panel.ts'));
  if (loaded.state === 'loaded') return h(loaded.value.EmptyPanel, props);
  return loaded.state === 'failed' ? h(Failed, { loaded, reload }) : h(LoadingTable, null);
}

/** The note beside local times. */
export function LocalDays(props: LocalDaysProps) {
  const { loaded } = usePart('local-days', () => import('./local-days-note.ts'));
  if (loaded.state === 'loaded') return h(loaded.value.LocalDaysNote, props);
  return h('p', { class: 'local-days' }, 'The days of the filters are UTC days.');
}

export function LongRange(props: LongRangePanelProps) {
  const { loaded, reload } = usePart('long-range', () => import('./long-range-panel.ts'));
  if (loaded.state === 'loaded') return h(loaded.value.LongRangePanel, props);
  return h(Failed, { loaded, reload });
}

interface WaitingProps extends FailedProps {
  title: string;
}

/** A screen whose code is loading, or could not be loaded. */
function Waiting({ title, loaded, reload }: WaitingProps) {
  return h(
    'main',
    { id: 'main' },
    h('div', { class: 'heading' }, h('h1', { tabIndex: -1 }, title)),
    h(Failed, { loaded, reload }),
  );
}

interface FailedProps {
  loaded: Loaded<unknown>;
  reload(): void;
}

function Failed({ loaded, reload }: FailedProps) {
  if (loaded.state !== 'failed') return null;
  return h(FailurePanel, { ...loaded, onRetry: reload });
}
