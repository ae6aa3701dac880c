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
  return h(FailurePanel, { ...loaded, onRetry: reload });
}
