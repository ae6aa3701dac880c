import { h } from 'preact';
import { CopyButton } from '../parts/copy-button.ts';
import { FailureText } from '../parts/failure-panel.ts';
import { Icon } from '../parts/icon.ts';
import { TotalsTable } from '../parts/totals-table.ts';
import type { CsvFileProps } from '../state/csv-order.ts';
import { describeFilter, type Filter } from '../state/route.ts';
import { type Exporter, type Saving, useExport } from './use-export.ts';

type Of<State extends Saving['state']> = Extract<Saving, { state: State }>;

/** The progress of a CSV file, and its result. */
export function ExportPanel(props: CsvFileProps) {
  const exporter = useExport(props);
  const { current } = exporter;
  if (current.state === 'none') return null;
  return h(
    'section',
    { class: `export export-${current.state}`, 'aria-label': 'CSV file' },
    current.state === 'running' && h(Running, { current, exporter }),
    current.state === 'saved' && h(Saved, { current, exporter }),
    current.state === 'stopped' && h(Stopped, { current, exporter }),
  );
}

function Running({ current, exporter }: { current: Of<'running'>; exporter: Exporter }) {
  const { filter, rows, expectedRows, isWaiting } = current;
  return [
    h(
      'div',
      { class: 'export-text' },
      h('p', { class: 'export-title', id: 'export-title' }, 'Loading the CSV file'),
      h('p', { class: 'export-count' }, `${describe(filter)}: ${progressText(rows, expectedRows)}`),
      h('progress', {
        'aria-labelledby': 'export-title',
        // Without a value, the bar moves.
        ...(expectedRows !== null && { value: rows, max: Math.max(1, expectedRows) }),
      }),
      h(
        'p',
        { class: 'export-waiting', 'aria-live': 'polite' },
        isWaiting && 'Waiting for the service. The file continues by itself.',
      ),
    ),
    h('div', { class: 'actions' }, button('Cancel', exporter.cancel)),
  ];
}

function Saved({ current, exporter }: { current: Of<'saved'>; exporter: Exporter }) {
  const { name, manifest } = current;
  const sha256 = manifest.sha256 as string;
  return [
    h(
      'div',
      { class: 'export-text' },
      h(
        'div',
        { role: 'status' },
        h('p', { class: 'export-title' }, h(Icon, { name: 'check' }), 'Complete file saved, verified'),
        h(
          'p',
          { class: 'export-count' },
          `${transactions(manifest.rows as number)} in `,
          h('code', null, name),
        ),
      ),
      h(
        'p',
        { class: 'export-note' },
        'All bytes agree with the hash of the service, and the transactions with its totals as of the same change.',
      ),
      h(
        'p',
        { class: 'export-note' },
        'SHA-256 ',
        h('code', { title: sha256 }, `${sha256.slice(0, 8)}\u2026${sha256.slice(-8)}`),
        h(CopyButton, { text: sha256, name: 'the SHA-256 of the file' }),
      ),
      h('div', { class: 'actions' }, button('Close', exporter.dismiss)),
    ),
    manifest.totals.length > 0 &&
      h(TotalsTable, { title: 'In the file', totals: { data: manifest.totals, asOf: manifest.asOf } }),
  ];
}

function Stopped({ current, exporter }: { current: Of<'stopped'>; exporter: Exporter }) {
  const { filter, failure, canContinue, rows, expectedRows } = current;
  return [
    h(
      'div',
      { class: 'export-text', role: 'alert' },
      h(
        'p',
        { class: 'export-title' },
        failure !== undefined && h(Icon, { name: 'warning' }),
        failure === undefined ? 'Cancelled: nothing was saved' : `Nothing was saved: ${failure.title}`,
      ),
      h('p', { class: 'export-count' }, `${describe(filter)}: ${progressText(rows, expectedRows)}`),
      failure && h(FailureText, { failure }),
    ),
    h(
      'div',
      { class: 'actions' },
      canContinue && button('Continue', exporter.resume, true),
      button('Start again', () => exporter.start(filter), !canContinue),
      button('Close', exporter.dismiss),
    ),
  ];
}

const button = (label: string, onClick: () => void, isPrimary = false) =>
  h('button', { type: 'button', class: isPrimary ? 'button button-primary' : 'button', onClick }, label);

const transactions = (count: number) => `${count.toLocaleString('en')} transaction${count === 1 ? '' : 's'}`;

const progressText = (rows: number, expectedRows: number | null) =>
  expectedRows === null
    ? `${transactions(rows)} so far`
    : `${rows.toLocaleString('en')} of ${transactions(expectedRows)}`;

function describe(filter: Filter): string {
  const described = describeFilter(filter) || 'all transactions';
  return described.charAt(0).toUpperCase() + described.slice(1);
}
