import { h } from 'preact';
import { markOf } from '../state/statuses.ts';
import { statusText } from '../text/status.ts';
import { Icon } from './icon.ts';

const ICONS = { completed: 'check', pending: 'clock', bad: 'cross', other: 'dot' } as const;

/** A status in words, with an icon whose shape and colour depend on the status. */
export function StatusBadge({ status }: { status: string }) {
  const mark = markOf(status);
  return h('span', { class: `status status-${mark}` }, h(Icon, { name: ICONS[mark] }), statusText(status));
}
