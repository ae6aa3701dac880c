import { useEffect, useState } from 'preact/hooks';

import { addDays, type DayRange, monthAt } from '../../values/days.ts';
import { Button } from '../parts/button.tsx';
import { DayInput } from '../parts/day-input.tsx';
import { EQUALITIES, SHOWN_FILTERS } from '../state/filters.ts';
import { BY_PAYMENT, FILTER_NAMES, type Filter, isFiltered } from '../state/route.ts';
import { byImportance, STATUSES } from '../state/statuses.ts';
import { chooseZone, useRoute } from '../state/use-route.ts';
import { isInverted, quarterOf } from '../text/date-range.ts';
import { texts } from '../text/language.ts';
import { dayIn, localZone, placeOf } from '../text/time.ts';

interface FilterFormProps {
  filter: Filter;
  /** The currencies that the account has. */
  currencies: readonly string[];
  /** The names of the filters that the service refuses. */
  faulty: readonly string[];
  /** Whether a narrow screen shows the fields. Others always do. */
  isOpen: boolean;
  onApply(filter: Filter): void;
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

/** Status, currency and days. Each takes effect when it is chosen. A reference is filtered by from the field of the search. */
export function FilterForm({ filter, currencies, faulty, isOpen, onApply }: FilterFormProps) {
  const [draft, setDraft] = useState<Filter>(filter);
  const applied = FILTER_NAMES.map((name) => filter[name] ?? '').join('\n');
  useEffect(() => setDraft(filter), [applied]);

  const choicesOf = { statuses: [...STATUSES.keys()].sort(byImportance), currencies };
  const invalid = (name: keyof Filter) => ({
    'aria-invalid': faulty.includes(name) ? ('true' as const) : undefined,
  });
  const apply = (changed: Filter) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    // The advice says what to do.
    if (!isInverted(next.from, next.to)) onApply(withoutBlanks(next));
  };
  const choose = (name: keyof Filter) => (event: Event) =>
    apply({ [name]: (event.currentTarget as HTMLSelectElement).value });

  return (
    <form
      id="filters"
      class={isOpen ? 'filters filters-open' : 'filters'}
      onSubmit={(event: SubmitEvent) => event.preventDefault()}
      aria-label={texts.$filters}
    >
      {EQUALITIES.map((name) => {
        const { label, text, choices } = SHOWN_FILTERS[name];
        return (
          choices && (
            <SelectField
              key={name}
              id={name}
              label={label}
              value={draft[name] ?? ''}
              options={choicesOf[choices]}
              text={text}
              onChange={choose(name)}
              {...invalid(name)}
            />
          )
        );
      })}
      <DayField
        id="from"
        label={texts.$from}
        day={draft.from}
        onDay={(from) => apply({ from })}
        {...invalid('from')}
      />
      <DayField id="to" label={texts.$to} day={draft.to} onDay={(to) => apply({ to })} {...invalid('to')} />
      <div class="field">
        <label for="by">{texts.$daysOf}</label>
        <select id="by" value={draft.by ?? ''} onChange={choose('by')}>
          <option value="">{texts.$ofCreation}</option>
          <option value={BY_PAYMENT}>{texts.$ofPayment}</option>
        </select>
      </div>
      <div class="filter-actions">
        <Button aria-disabled={!isFiltered(draft)} onClick={() => onApply({})}>
          {texts.$clear}
        </Button>
      </div>
      <RangeHelp filter={filter} onUse={apply} />
      <div class="range-advice" id="range-advice" aria-live="polite">
        {/* Once it is applied, the service says so in place of the list. */}
        {isInverted(draft.from, draft.to) && !faulty.includes('from') && (
          <p class="advice">{texts.$fromAfterTo}</p>
        )}
      </div>
    </form>
  );
}

/** The filter to apply, without what is empty. */
const withoutBlanks = (draft: Filter): Filter =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value));

interface RangeHelpProps extends Pick<FilterFormProps, 'filter'> {
  onUse(range: DayRange): void;
}

/** The rule of the date range, with a button for the days of this device if they are others, and buttons for common ranges. */
function RangeHelp({ filter, onUse }: RangeHelpProps) {
  const { zone } = useRoute();
  const local = localZone();
  return (
    <div class="range-help">
      <span class="help" id="range-help">
        {texts.$rangeHelp(zone)}
      </span>
      {zone !== local && (
        <Button class="link" onClick={() => chooseZone(local)}>
          {texts.$useDaysOf(local)}
        </Button>
      )}
      <span class="presets" role="group" aria-label={texts.$commonRanges}>
        {presets(dayIn(zone)).map(([name, range]) => (
          <Button
            key={name}
            class="link preset"
            aria-pressed={filter.from === range.from && filter.to === range.to}
            onClick={() => onUse(range)}
          >
            {name}
          </Button>
        ))}
      </span>
    </div>
  );
}

interface SelectFieldProps {
  'aria-invalid': 'true' | undefined;
  id: string;
  label: string;
  value: string;
  options: readonly string[];
  text(option: string): string;
  onChange(event: Event): void;
}

/** An unknown value of the address is offered too; the service then explains that it is unknown. */
function SelectField({ id, label, value, options, text, ...attributes }: SelectFieldProps) {
  const offered = value === '' || options.includes(value) ? options : [...options, value];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} {...attributes}>
        <option value="">{texts.$any}</option>
        {offered.map((option) => (
          <option key={option} value={option}>
            {text(option)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface DayFieldProps {
  'aria-invalid': 'true' | undefined;
  id: string;
  label: string;
  day: string | undefined;
  onDay(day: string): void;
}

function DayField({ id, label, ...attributes }: DayFieldProps) {
  const { zone } = useRoute();
  return (
    <div class="field field-day">
      <label for={id}>
        {label} <span class="label-note">({placeOf(zone)})</span>
      </label>
      <DayInput id={id} aria-describedby="range-help range-advice" {...attributes} />
    </div>
  );
}
