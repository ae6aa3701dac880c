import { h } from 'preact';
import { loadPart } from '../state/api.ts';
import type { CsvFileProps } from '../state/csv-order.ts';
import { useLoad } from '../state/use-load.ts';
import { FailurePanel } from './failure-panel.ts';

/** Saves a CSV file. Its code is loaded with the first order. */
export function CsvFile(props: CsvFileProps) {
  const { loaded, reload } = useLoad(
    'export',
    () => loadPart(import('../export/export-panel.ts')),
    () => {},
  );
  if (loaded.state === 'loaded') return h(loaded.value.ExportPanel, props);
  if (loaded.state === 'loading') return null;
  const { failure, retry } = loaded;
  return h(FailurePanel, {
    failure,
    retry,
    actions: h('button', { type: 'button', class: 'button button-primary', onClick: reload }, 'Try again'),
  });
}
