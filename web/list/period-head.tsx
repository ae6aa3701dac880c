import { addDays, monthAt } from '../../values/calendar.ts';
import { Button } from '../parts/button.tsx';
import { Choices, Popover } from '../parts/popover.tsx';
import { describeDays, type Filter, isByPayment, isFiltered } from '../state/route.ts';
import { Signal } from '../state/signal.ts';
import { daysBefore } from '../text/date-range.ts';
import { texts } from '../text/language.ts';
import { capital } from '../text/status.ts';
import { dayIn } from '../text/time.ts';

const COMPARISONS: readonly (readonly [months: number, name: string])[] = [
  [1, texts.$monthBefore],
  [12, texts.$yearBefore],
  [0, texts.$withNothing],
];

const chosenMonths = new Signal(1);
const wantsAllDays = new Signal(false);

export function usePeriod(listed: Filter, zone: string) {
  const wantsAll = wantsAllDays.use();
  const months = chosenMonths.use();
  const today = dayIn(zone);
  const isAllDays = wantsAll && !isFiltered(listed);
  const isDefault = !isAllDays && !isFiltered(listed);
  const { from } = monthAt(today);
  const isFirstDay = today === from;
  // On the first day of a month, the month before is shown, because the new month has no whole day.
  const month = isFirstDay ? monthAt(today, -1) : { from, to: today };
  const filter: Filter = isDefault ? month : listed;
  const days = { from: filter.from ?? '', to: filter.to ?? today };
  // Today is not over, so it is not compared with a whole day.
  const finished = { ...days, to: days.to < today ? days.to : addDays(today, -1) };
  const choices = COMPARISONS.filter(([one]) => one === 0 || daysBefore(finished, one) !== undefined);
  const [compared] = choices.find(([one]) => one === months) ?? (choices[0] as (typeof choices)[number]);
  return {
    filter,
    days,
    finished: finished.to === days.to ? undefined : finished,
    before: compared === 0 ? undefined : daysBefore(finished, compared),
    isDefault,
    isFirstDay,
    endsToday: days.to === today,
    isAllDays,
    compared,
    choices,
  };
}

export type Period = ReturnType<typeof usePeriod>;

export function PeriodHead({ period: { isDefault, isAllDays, isFirstDay } }: { period: Period }) {
  const chooseAllDays = (isAll: boolean) => {
    wantsAllDays.value = isAll;
  };
  const month = isFirstDay ? texts.$lastMonth : texts.$thisMonth;
  return (
    <div class="summary-head">
      <h2>{isDefault ? month : texts.$totals}</h2>
      {isDefault && link(texts.$showAllDays, () => chooseAllDays(true))}
      {isAllDays && link(month, () => chooseAllDays(false))}
    </div>
  );
}

export function daysText({ filter, endsToday }: Period): string {
  const days = describeDays(filter);
  return days === undefined
    ? texts.$allDays
    : capital(isByPayment(filter) ? days : texts.$createdDays(days)) + (endsToday ? texts.$soFar : '');
}

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
