import { h } from 'preact';
import { statusMark, statusText } from '../text/status.ts';
import { Icon } from './icon.ts';

const ICONS = { completed: 'check', pending: 'clock', other: 'dot' } as const;

/** A status in words, with an icon whose shape and colour depend on the status. */
export function StatusBadge({ status }: { status: string }) {
  const mark = statusMark(status);
  return h('span', { class: `status status-${mark}` }, h(Icon, { name: ICONS[mark] }), statusText(status));
}
