import { addDays, type DayRange, monthAt } from '../../values/days.ts';
import { Button } from '../parts/button.tsx';
import { Choices, Popover } from '../parts/popover.tsx';
import { describeDays, type Filter, isByPayment, isFiltered } from '../state/route.ts';
import { Signal } from '../state/signal.ts';
import { daysBefore } from '../text/date-range.ts';
import { texts } from '../text/language.ts';
import { capital } from '../text/status.ts';
import { dayIn } from '../text/time.ts';

/** The choices of a comparison: the same days, this many months earlier. */
const COMPARISONS: readonly (readonly [months: number, name: string])[] = [
  [1, texts.$monthBefore],
  [12, texts.$yearBefore],
  [0, texts.$withNothing],
];

// The choice lasts until the page is loaded again.
const chosenMonths = new Signal(1);
const wantsAllDays = new Signal(false);

export interface Period {
  filter: Filter;
  /** All of the filter's days, if the first one is known. */
  days: DayRange;
  /**
   * The days to compare, if they are not all days: a day that is not over cannot be compared with a whole
   * day.
   */
  finished: DayRange | undefined;
  before: DayRange | undefined;
  /** True if the period is the current month, because the list has no filter. */
  isDefault: boolean;
  endsToday: boolean;
  /** True if the user chose all days instead of the current month. */
  isAllDays: boolean;
  /** How many months `before` is earlier; `choices` has the possible values. */
  compared: number;
  choices: typeof COMPARISONS;
}

/** The days of the totals: those of the filter, or the current month if the list has no filter. */
export function usePeriod(listed: Filter, zone: string): Period {
  const wantsAll = wantsAllDays.use();
  const months = chosenMonths.use();
  const today = dayIn(zone);
  const isAllDays = wantsAll && !isFiltered(listed);
  const isDefault = !isAllDays && !isFiltered(listed);
  const filter = isDefault ? { from: monthAt(today).from, to: today } : listed;
  const range = { from: filter.from ?? '', to: filter.to ?? today };
  const finished = { ...range, to: range.to < today ? range.to : addDays(today, -1) };
  const choices = COMPARISONS.filter(([one]) => one === 0 || daysBefore(finished, one) !== undefined);
  const [compared] = choices.find(([one]) => one === months) ?? (choices[0] as (typeof choices)[number]);
  return {
    filter,
    days: range,
    finished: finished.to === range.to ? undefined : finished,
    before: compared === 0 ? undefined : daysBefore(finished, compared),
    isDefault,
    endsToday: range.to === today,
    isAllDays,
    compared,
    choices,
  };
}

/** Names the period of the totals. */
export function PeriodHead({ period: { filter, isDefault, endsToday, isAllDays } }: { period: Period }) {
  const chooseAllDays = (isAll: boolean) => {
    wantsAllDays.value = isAll;
  };
  const days = describeDays(filter);
  return (
    <div class="summary-head">
      <h2>{isDefault ? texts.$thisMonth : texts.$totals}</h2>
      {isDefault && link(texts.$allDays, () => chooseAllDays(true))}
      {isAllDays && link(texts.$thisMonth, () => chooseAllDays(false))}
      <p class="summary-days">
        {days === undefined
          ? texts.$allDays
          : capital(isByPayment(filter) ? days : texts.$createdDays(days)) + (endsToday ? texts.$soFar : '')}
      </p>
    </div>
  );
}

/** Lets users choose what the totals are compared with, if there is a choice. */
export function CompareChoice({ period: { compared, choices } }: { period: Period }) {
  if (choices.length < 2) return null;
  const named = choices.map(([months, name]) => [String(months), name] as const);
  const compare = (months: string) => {
    chosenMonths.value = Number(months);
  };
  return (
    <Popover
      id="compare"
      class="chip compare"
      label={
        <>
          <span class="chip-label">{texts.$named(texts.$compare)}</span>{' '}
          {named.find(([months]) => Number(months) === compared)?.[1]}
        </>
      }
      name={texts.$compare}
    >
      <Choices
        popover="compare"
        choices={named.map(([months, name]) => [months, capital(name)])}
        chosen={String(compared)}
        onChoose={compare}
      />
    </Popover>
  );
}

const link = (label: string, onClick: () => void) => (
  <Button class="link" onClick={onClick}>
    {label}
  </Button>
);
