import { h } from 'preact';
import type { SavedFileProps } from '../state/file-order.ts';
import { usePart } from '../state/use-part.ts';
import { FailurePanel } from './failure-panel.ts';

/** Saves a file. Its code is loaded with the first order. */
export function SavedFile(props: SavedFileProps) {
  const { loaded, reload } = usePart('export', () => import('../export/export-panel.ts'), [
    new URL('../styles/export.css', import.meta.url),
  ]);
  if (loaded.state === 'loaded') return h(loaded.value.ExportPanel, props);
  if (loaded.state === 'loading') return null;
  const { failure, retry } = loaded;
  return h(FailurePanel, {
    failure,
    retry,
    actions: h('button', { type: 'button', class: 'button button-primary', onClick: reload }, 'Try again'),
  });
}
