import { h } from 'preact';
import { FailureText } from '../parts/failure-panel.ts';
import { Icon } from '../parts/icon.ts';
import type { CsvFileProps } from '../state/csv-order.ts';
import { describeFilter } from '../state/route.ts';
import { walkedShare } from '../text/date-range.ts';
import { type Export, type Exporter, useExport } from './use-export.ts';

const transactions = (count: number) => `${count.toLocaleString('en')} transaction${count === 1 ? '' : 's'}`;

/** The progress of a CSV file, and its result. */
export function ExportPanel(props: CsvFileProps) {
  const exporter = useExport(props);
  const { current } = exporter;
  if (current.state === 'none') return null;
  const described = describeFilter(current.filter) || 'all transactions';
  const filter = described.charAt(0).toUpperCase() + described.slice(1);
  return h(
    'section',
    { class: `export export-${current.state}`, 'aria-label': 'CSV file' },
    current.state === 'running' && h(Running, { current, filter, exporter }),
    current.state === 'saved' && h(Saved, { current, exporter }),
    current.state === 'stopped' && h(Stopped, { current, filter, exporter }),
  );
}

type Of<State extends Export['state']> = Extract<Export, { state: State }>;

function Running({
  current,
  filter,
  exporter,
}: {
  current: Of<'running'>;
  filter: string;
  exporter: Exporter;
}) {
  const { from, to } = current.filter;
  const share = current.oldest && walkedShare(from, to, Date.now(), current.oldest);
  return [
    h(
      'div',
      { class: 'export-text' },
      h('p', { class: 'export-title', id: 'export-title' }, 'Reading transactions for the CSV file'),
      h(
        'p',
        { class: 'export-count' },
        `${filter}: ${transactions(current.count)} so far${current.oldest ? `, back to ${current.oldest.slice(0, 10)}` : ''}`,
      ),
      h('progress', {
        'aria-labelledby': 'export-title',
        ...(share !== undefined && share !== '' && { value: share }),
      }),
    ),
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'button', class: 'button', onClick: exporter.cancel }, 'Cancel'),
    ),
  ];
}

function Saved({ current, exporter }: { current: Of<'saved'>; exporter: Exporter }) {
  return [
    h(
      'div',
      { class: 'export-text', role: 'status' },
      h(
        'p',
        { class: 'export-title' },
        h(Icon, { name: current.isComplete ? 'check' : 'warning' }),
        current.isComplete ? 'Complete file saved' : 'Incomplete file saved',
      ),
      h('p', { class: 'export-count' }, `${transactions(current.count)} in `, h('code', null, current.name)),
    ),
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'button', class: 'button', onClick: exporter.dismiss }, 'Close'),
    ),
  ];
}

function Stopped({
  current,
  filter,
  exporter,
}: {
  current: Of<'stopped'>;
  filter: string;
  exporter: Exporter;
}) {
  const { failure, count } = current;
  return [
    h(
      'div',
      { class: 'export-text', role: 'alert' },
      h(
        'p',
        { class: 'export-title' },
        failure === undefined
          ? 'Cancelled: nothing was saved'
          : `The file could not be finished: ${failure.title}`,
      ),
      h(
        'p',
        { class: 'export-count' },
        `${filter}: ${transactions(count)} read${current.oldest ? `, back to ${current.oldest.slice(0, 10)}` : ''}`,
      ),
      failure && h(FailureText, { failure }),
    ),
    h(
      'div',
      { class: 'actions' },
      h(
        'button',
        { type: 'button', class: 'button button-primary', onClick: () => exporter.start(current.filter) },
        'Start again',
      ),
      count > 0 &&
        h(
          'button',
          { type: 'button', class: 'button', onClick: exporter.saveIncomplete },
          'Save an incomplete file',
        ),
      h('button', { type: 'button', class: 'button', onClick: exporter.dismiss }, 'Close'),
    ),
  ];
}
