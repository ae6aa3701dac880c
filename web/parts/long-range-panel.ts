import { h } from 'preact';
import type { FileOrder } from '../state/file-order.ts';
import { type Filter, listRoute } from '../state/route.ts';
import { navigate } from '../state/use-route.ts';
import { adviseRange, MAX_RANGE_DAYS } from '../text/date-range.ts';
import { Panel } from './panel.ts';
import { SaveButtons } from './save-buttons.ts';

interface LongRangePanelProps {
  filter: Filter;
  zone: string;
  /** Undefined while a file is being saved. */
  onSave: ((order: FileOrder) => void) | undefined;
}

/** A range that is too long for a list, with three ways to continue. */
export function LongRangePanel({ filter, zone, onSave }: LongRangePanelProps) {
  const advice = adviseRange(filter.from, filter.to);
  if (advice.kind !== 'long') return null;
  const show = (range: Filter) => () => navigate(listRoute({ ...filter, ...range }));
  const actions = [
    h(
      'button',
      { type: 'button', class: 'button button-primary', onClick: show({ from: advice.earliestFrom }) },
      `Show the newest: ${advice.earliestFrom} to ${filter.to}`,
    ),
    h(
      'button',
      { type: 'button', class: 'button', onClick: show({ to: advice.latestTo }) },
      `Show the oldest: ${filter.from} to ${advice.latestTo}`,
    ),
    h(SaveButtons, { order: { filter, zone }, onSave, label: 'Save the whole range' }),
  ];
  return h(
    Panel,
    { icon: 'clock', title: `The range is too long for a list: ${advice.days} days`, actions },
    h(
      'p',
      null,
      `${filter.from} and ${filter.to} are ${advice.days} days apart, and a list covers at most ${MAX_RANGE_DAYS}. Show a part of the range, or save the whole range as a file.`,
    ),
  );
}
