import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addDays, type DayRange, monthAt } from '../../values/days.ts';
import { Button } from '../parts/button.tsx';
import { DayInput } from '../parts/day-input.tsx';
import { Choices, Popover } from '../parts/popover.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import { EQUALITIES, SHOWN_FILTERS } from '../state/filters.ts';
import { BY_PAYMENT, type Filter, type FilterName, hasDays, isFiltered, listRoute } from '../state/route.ts';
import { byImportance, STATUSES } from '../state/statuses.ts';
import { chooseZone, navigate, useRoute } from '../state/use-route.ts';
import { isInverted, quarterOf } from '../text/date-range.ts';
import { texts } from '../text/language.ts';
import { dayText, nameOfDays, rangeText } from '../text/month.ts';
import { dayIn, localZone } from '../text/time.ts';

interface FiltersProps {
  filter: Filter;
  /** The currencies that the account has. */
  currencies: readonly string[];
  /** The names of the filters that the service refuses. */
  faulty: readonly string[];
}

/**
 * The filters in a line. Each takes effect when it is chosen. A reference is filtered by from the field of
 * the search.
 */
export function Filters({ filter, currencies, faulty }: FiltersProps) {
  const choicesOf = { statuses: [...STATUSES.keys()].sort(byImportance), currencies };
  const apply = (changed: Filter) => {
    const kept = Object.entries({ ...filter, ...changed }).filter(([, value]) => value);
    navigate(listRoute(Object.fromEntries(kept)));
  };
  return (
    <Toolbar class="filters" label={texts.$filters}>
      {EQUALITIES.map((name) => {
        const { label, any, text, choices } = SHOWN_FILTERS[name];
        const value = filter[name];
        if (choices === undefined && value === undefined) return null;
        // An unknown value of the address is offered too; the service then explains that it is unknown.
        const offered = [...new Set([...(choices ? choicesOf[choices] : []), ...(value ? [value] : [])])];
        return (
          <Chip
            key={name}
            names={[name]}
            label={label}
            text={value ? text(value) : any}
            faulty={faulty}
            onClear={value && (() => apply({ [name]: '' }))}
          >
            <Choices
              popover={`filter-${name}`}
              choices={['', ...offered].map((one) => [one, one ? text(one) : any])}
              chosen={value ?? ''}
              onChoose={(chosen) => apply({ [name]: chosen })}
            />
          </Chip>
        );
      })}
      <Chip
        names={['from', 'to']}
        text={nameOf(filter)}
        faulty={faulty}
        onClear={hasDays(listRoute(filter)) && (() => apply({ from: '', to: '', by: '' }))}
      >
        <Days filter={filter} faulty={faulty} onApply={apply} />
      </Chip>
      {hasDays(listRoute(filter)) && (
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
            onChoose={(by) => apply({ by })}
          />
        </Chip>
      )}
      {isFiltered(filter) && (
        <Button class="link" onClick={() => navigate(listRoute())}>
          {texts.$clear}
        </Button>
      )}
      <ZoneSwitch />
    </Toolbar>
  );
}

/** The days of a filter as a name, such as October 2026. */
function nameOf({ from, to }: Filter): string {
  if (from && to) return nameOfDays(from, to) ?? rangeText({ from, to });
  if (from) return texts.$daysFrom(dayText(from));
  return to ? texts.$daysUntil(dayText(to)) : texts.$allDays;
}

interface ChipProps {
  /** Of what it filters by, the first of which names it. */
  names: readonly FilterName[];
  label?: string;
  text: string;
  faulty: readonly string[];
  /** Absent if the filter is not set. */
  onClear?: (() => void) | false | '' | undefined;
  children: ComponentChildren;
}

/** A filter: what it is, and a button that removes it if it is set. */
function Chip({ names, label, text, faulty, onClear, children }: ChipProps) {
  const clear = (event: MouseEvent) => {
    // This button goes.
    (event.currentTarget as HTMLElement).parentElement?.querySelector('button')?.focus();
    if (onClear) onClear();
  };
  return (
    <span class={onClear ? 'chip-set' : ''}>
      <Popover
        id={`filter-${names[0]}`}
        label={
          <>
            {label && <span class="chip-label">{texts.$named(label)}</span>} {text}
          </>
        }
        name={label ?? text}
        aria-invalid={names.some((name) => faulty.includes(name)) ? 'true' : undefined}
      >
        {children}
      </Popover>
      {onClear && (
        <Button
          class="chip-clear"
          aria-label={texts.$removeFilterOf(text)}
          title={texts.$removeFilter}
          onClick={clear}
        >
          {'\u00d7'}
        </Button>
      )}
    </span>
  );
}

/** The common ranges, which end today or with a month. */
const presets = (today: string): [name: string, range: DayRange][] => [
  [texts.$thisMonth, { from: monthAt(today).from, to: today }],
  [texts.$lastMonth, monthAt(today, -1)],
  [texts.$lastQuarter, quarterOf(today, -1)],
  [texts.$lastDays(7), { from: addDays(today, -6), to: today }],
  [texts.$lastDays(30), { from: addDays(today, -29), to: today }],
  [texts.$lastDays(90), { from: addDays(today, -89), to: today }],
];

interface DaysProps extends Pick<FiltersProps, 'filter' | 'faulty'> {
  onApply(days: Filter): void;
}

/** Common ranges, the fields of other ones, and whose days they are. */
function Days({ filter: { from = '', to = '' }, faulty, onApply }: DaysProps) {
  const { zone } = useRoute();
  const local = localZone();
  const [draft, setDraft] = useState({ from, to });
  useEffect(() => setDraft({ from, to }), [from, to]);
  const set = (changed: Filter) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    // The advice says what to do.
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
          {/* Once it is applied, the service says so in place of the list. */}
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
