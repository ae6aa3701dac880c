import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';
import { describeDays, type Filter, isFiltered } from '../state/route.ts';
import { type DayRange, daysBefore, monthOf } from '../text/date-range.ts';
import { dayIn } from '../text/time.ts';

/** What can be compared with: the same days so many months before. */
const COMPARISONS: readonly (readonly [months: number, name: string])[] = [
  [1, 'with last month'],
  [12, 'with last year'],
  [0, 'with nothing'],
];

// What was chosen lasts until the page is loaded again.
let chosenMonths = 1;
let wantsAllDays = false;

interface Period {
  /** What the totals are of. */
  filter: Filter;
  /** The days that they are compared with. */
  before: DayRange | undefined;
  /** Whether it is this month, because the list has no filter. */
  isDefault: boolean;
  /** Whether the last day is not over. */
  endsToday: boolean;
  /** Whether all days were chosen in place of this month. */
  isAllDays: boolean;
  /** The months of `before`, and what can be chosen. */
  compared: number;
  choices: typeof COMPARISONS;
  chooseAllDays(isAll: boolean): void;
  compare(months: number): void;
}

/** The days of the totals: those of the filter, or this month if the list has no filter. */
export function usePeriod(listed: Filter, zone: string): Period {
  const [wantsAll, setWantsAll] = useState(wantsAllDays);
  const [months, setMonths] = useState(chosenMonths);
  const today = dayIn(zone);
  const isAllDays = wantsAll && !isFiltered(listed);
  const isDefault = !isAllDays && !isFiltered(listed);
  const filter = isDefault ? { from: monthOf(today).from, to: today } : listed;
  const range = { from: filter.from ?? '', to: filter.to ?? today };
  const choices = COMPARISONS.filter(([one]) => one === 0 || daysBefore(range, one) !== undefined);
  const [compared] = choices.find(([one]) => one === months) ?? (choices[0] as (typeof choices)[number]);
  return {
    filter,
    before: compared === 0 ? undefined : daysBefore(range, compared),
    isDefault,
    endsToday: range.to === today,
    isAllDays,
    compared,
    choices,
    chooseAllDays: (isAll) => {
      wantsAllDays = isAll;
      setWantsAll(isAll);
    },
    compare: (chosen) => {
      chosenMonths = chosen;
      setMonths(chosen);
    },
  };
}

interface PeriodHeadProps {
  period: Period;
  zone: string;
  children?: ComponentChildren;
}

/** Names the days of the totals, and chooses what they are compared with. */
export function PeriodHead({ period, zone, children }: PeriodHeadProps) {
  const { filter, before, isDefault, endsToday, isAllDays, compared, choices, chooseAllDays, compare } =
    period;
  const days = describeDays(filter, zone);
  return h(
    'div',
    { class: 'summary-head' },
    h('h2', null, isDefault ? 'This month' : 'Totals'),
    h('span', null, days === undefined ? 'All days' : `Created ${days}${endsToday ? ', so far' : ''}`),
    isDefault && link('All days', () => chooseAllDays(true)),
    isAllDays && link('This month', () => chooseAllDays(false)),
    h(
      'span',
      { class: 'summary-compare' },
      choices.length > 1 &&
        h(
          'label',
          null,
          'Compare ',
          h(
            'select',
            {
              value: String(compared),
              onChange: (event: Event) => compare(Number((event.currentTarget as HTMLSelectElement).value)),
            },
            choices.map(([months, name]) => h('option', { value: String(months), key: months }, name)),
          ),
        ),
      before && h('span', null, `${before.from} to ${before.to}`),
    ),
    children,
  );
}

const link = (label: string, onClick: () => void) =>
  h('button', { type: 'button', class: 'link', onClick }, label);
