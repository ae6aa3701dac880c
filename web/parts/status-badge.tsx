import { markOf } from '../state/statuses.ts';
import { statusText } from '../text/status.ts';
import { Icon } from './icon.tsx';

const ICONS = { completed: 'check', pending: 'clock', bad: 'cross', other: 'dot' } as const;

export function StatusBadge({ status }: { status: string }) {
  const mark = markOf(status);
  return (
    <span class={`status status-${mark}`}>
      <Icon name={ICONS[mark]} />
      {statusText(status)}
    </span>
  );
}
