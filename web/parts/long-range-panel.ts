import { h } from 'preact';
import type { Exporter } from '../export/use-export.ts';
import { type Filter, listRoute } from '../state/route.ts';
import { navigate } from '../state/use-route.ts';
import { adviseRange, MAX_RANGE_DAYS } from '../text/date-range.ts';
import { Panel } from './panel.ts';

/** A range that the service would refuse to list, and the three ways on. */
export function LongRangePanel({ filter, exporter }: { filter: Filter; exporter: Exporter }) {
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
    h(
      'button',
      { type: 'button', class: 'button', onClick: () => exporter.start(filter) },
      'Save all of it as CSV',
    ),
  ];
  return h(
    Panel,
    { icon: 'clock', title: `${advice.days} days are too many for one list`, actions },
    h(
      'p',
      null,
      `From ${filter.from} to ${filter.to} are ${advice.days} days, and the service lists at most ${MAX_RANGE_DAYS} at once. A CSV file may hold the whole range.`,
    ),
  );
}
