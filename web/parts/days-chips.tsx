import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addDays, type DayRange, monthAt } from '../../values/calendar.ts';
import { BY_PAYMENT, type DaysRoute, type Filter, hasDays, listRoute } from '../state/route.ts';
import { chooseZone, navigate, useRoute } from '../state/use-route.ts';
import { isInverted, quarterBefore } from '../text/date-range.ts';
import { texts } from '../text/language.ts';
import { dayText, nameOfDays, rangeText } from '../text/month.ts';
import { capital } from '../text/status.ts';
import { dayIn, localZone } from '../text/time.ts';
import { Button } from './button.tsx';
import { Chip } from './chip.tsx';
import { DayInput } from './day-input.tsx';
import { Choices } from './popover.tsx';
import { Toolbar } from './toolbar.tsx';
import { ZoneSwitch } from './zone-switch.tsx';

function nameOf({ from, to }: Filter): string {
  if (from && to) return nameOfDays(from, to) ?? rangeText({ from, to });
  if (from) return texts.$daysFrom(dayText(from));
  return to ? texts.$daysUntil(dayText(to)) : texts.$anyDate;
}

const presets = (today: string): [name: string, range: DayRange][] => [
  [texts.$thisMonth, { from: monthAt(today).from, to: today }],
  [texts.$lastMonth, monthAt(today, -1)],
  [texts.$lastQuarter, quarterBefore(today)],
  [texts.$lastDays(7), { from: addDays(today, -6), to: today }],
  [texts.$lastDays(30), { from: addDays(today, -29), to: today }],
  [texts.$lastDays(90), { from: addDays(today, -89), to: today }],
];

interface DaysProps {
  filter: Filter;
  faulty?: readonly string[];
  onApply(days: Filter): void;
}

function Days({ filter: { from = '', to = '' }, faulty = [], onApply }: DaysProps) {
  const { zone } = useRoute();
  const local = localZone();
  const [draft, setDraft] = useState({ from, to });
  useEffect(() => setDraft({ from, to }), [from, to]);
  const set = (changed: Filter) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    if (!isInverted(next.from, next.to)) onApply(next);
  };
  const field = (name: 'from' | 'to', label: string) => (
    <div class="field">
      <label for={name}>{label}</label>
      <DayInput
        id={name}
        aria-describedby="range-help range-advice"
        day={draft[name]}
        onDay={(day) => set({ [name]: day })}
        aria-invalid={faulty.includes(name) ? 'true' : undefined}
      />
    </div>
  );
  const ranges = presets(dayIn(zone));
  const shown = ranges.findIndex(([, range]) => range.from === from && range.to === to);
  return (
    <div class="days-choice">
      <Choices
        popover="filter-from"
        choices={ranges.map(([name], index) => [String(index), name])}
        chosen={String(shown)}
        onChoose={(index) => onApply(ranges[Number(index)]?.[1] as DayRange)}
      />
      <div class="days-choice-fields">
        {field('from', texts.$from)}
        {field('to', texts.$to)}
        <div id="range-advice" aria-live="polite">
          {/* This advice is for days that are not applied yet. For applied days, the service's error appears
              in place of the list. */}
          {isInverted(draft.from, draft.to) && !faulty.includes('from') && (
            <p class="advice">{texts.$fromAfterTo}</p>
          )}
        </div>
        <p class="help" id="range-help">
          {texts.$rangeHelp(zone)}
        </p>
        {zone !== local && (
          <Button class="link" onClick={() => chooseZone(local)}>
            {texts.$useDaysOf(local)}
          </Button>
        )}
      </div>
    </div>
  );
}

interface DaysChipsProps extends DaysProps {
  isClearable?: boolean;
}

export function DaysChips(props: DaysChipsProps) {
  const { filter, faulty = [], isClearable = false, onApply } = props;
  const hasRange = hasDays(listRoute(filter));
  return (
    <>
      <Chip
        names={['from', 'to']}
        {...(hasRange ? { text: capital(nameOf(filter)) } : { label: texts.$date, text: nameOf(filter) })}
        faulty={faulty}
        onClear={isClearable && hasRange && (() => onApply({ from: '', to: '', by: '' }))}
      >
        <Days {...props} />
      </Chip>
      {hasRange && (
        <Chip
          names={['by']}
          label={texts.$daysOf}
          text={filter.by ? texts.$ofPayment : texts.$ofCreation}
          faulty={faulty}
        >
          <Choices
            popover="filter-by"
            choices={[
              ['', texts.$ofCreation],
              [BY_PAYMENT, texts.$ofPayment],
            ]}
            chosen={filter.by ?? ''}
            onChoose={(by) => onApply({ by })}
          />
        </Chip>
      )}
    </>
  );
}

interface DaysBarProps {
  view: DaysRoute['view'];
  filter: Filter;
  children?: ComponentChildren;
}

export function DaysBar({ view, filter, children }: DaysBarProps) {
  const apply = (changed: Filter) => {
    const kept = Object.entries({ ...filter, ...changed }).filter(([, value]) => value);
    navigate({ view, filter: Object.fromEntries(kept) }, [], { isReplaced: true });
  };
  return (
    <Toolbar class="filters" label={texts.$filters}>
      <DaysChips filter={filter} onApply={apply} />
      {children}
      <ZoneSwitch />
    </Toolbar>
  );
}
