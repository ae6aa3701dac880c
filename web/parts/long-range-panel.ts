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
    { icon: 'clock', title: `${advice.days} days are too long a range for one list`, actions },
    h(
      'p',
      null,
      `${filter.from} and ${filter.to} lie ${advice.days} days apart, and a list spans at most ${MAX_RANGE_DAYS}. A CSV file may hold the whole range.`,
    ),
  );
}
