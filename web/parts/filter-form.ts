import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FILTER_NAMES, type Filter, isFiltered } from '../state/route.ts';
import { byImportance, STATUSES } from '../state/statuses.ts';
import { addDays, type DayRange, isInverted, monthOf, quarterOf } from '../text/date-range.ts';
import { statusText } from '../text/status.ts';
import { dayIn, localZone, placeOf } from '../text/time.ts';

interface FilterFormProps {
  filter: Filter;
  zone: string;
  /** The currencies that the account has. */
  currencies: readonly string[];
  /** The names of the filters that the service refuses. */
  faulty: readonly string[];
  /** Whether a narrow screen shows the fields. Others always do. */
  isOpen: boolean;
  onApply(filter: Filter): void;
  onZone(zone: string): void;
}

/** The common ranges, which end today or with a month. */
const presets = (today: string): [name: string, range: DayRange][] => [
  ['This month', { from: monthOf(today).from, to: today }],
  ['Last month', monthOf(today, -1)],
  ['Last quarter', quarterOf(today, -1)],
  ['Last 7 days', { from: addDays(today, -6), to: today }],
  ['Last 30 days', { from: addDays(today, -29), to: today }],
  ['Last 90 days', { from: addDays(today, -89), to: today }],
];

/** Status, currency and days. The filters take effect with Apply. A reference is filtered by from the field of the search. */
export function FilterForm({ filter, zone, currencies, faulty, isOpen, onApply, onZone }: FilterFormProps) {
  const [draft, setDraft] = useState<Filter>(filter);
  const applied = FILTER_NAMES.map((name) => filter[name] ?? '').join('\n');
  useEffect(() => setDraft(filter), [applied]);

  const invalid = (name: keyof Filter) => ({
    'aria-invalid': faulty.includes(name) ? ('true' as const) : undefined,
  });
  const set = (name: keyof Filter) => (event: Event) =>
    setDraft({ ...draft, [name]: (event.currentTarget as HTMLInputElement).value });
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    onApply(withoutBlanks(draft));
  };
  const applyRange = (range: DayRange) => onApply(withoutBlanks({ ...draft, ...range }));

  return h(
    'form',
    {
      id: 'filters',
      class: isOpen ? 'filters filters-open' : 'filters',
      onSubmit: apply,
      'aria-label': 'Filters',
    },
    h(SelectField, {
      id: 'status',
      label: 'Status',
      value: draft.status ?? '',
      options: [...STATUSES.keys()].sort(byImportance),
      text: statusText,
      onChange: set('status'),
      ...invalid('status'),
    }),
    h(SelectField, {
      id: 'currency',
      label: 'Currency',
      value: draft.currency ?? '',
      options: currencies,
      onChange: set('currency'),
      ...invalid('currency'),
    }),
    h(DayField, {
      id: 'from',
      label: 'From',
      zone,
      value: draft.from ?? '',
      onInput: set('from'),
      ...invalid('from'),
    }),
    h(DayField, { id: 'to', label: 'To', zone, value: draft.to ?? '', onInput: set('to'), ...invalid('to') }),
    h(
      'div',
      { class: 'filter-actions' },
      h('button', { type: 'submit', class: 'button button-primary' }, 'Apply'),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'aria-disabled': !isFiltered(filter) && !isFiltered(draft),
          onClick: () => onApply({}),
        },
        'Clear',
      ),
    ),
    h(RangeHelp, { filter, zone, onUse: applyRange, onZone }),
    h(
      'div',
      { class: 'range-advice', id: 'range-advice', 'aria-live': 'polite' },
      isInverted(draft.from, draft.to) &&
        h('p', { class: 'advice' }, 'From is after To. Enter the earlier day as From.'),
    ),
  );
}

/** The filter to apply, without what is empty. */
const withoutBlanks = (draft: Filter): Filter =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value));

interface RangeHelpProps extends Pick<FilterFormProps, 'filter' | 'zone' | 'onZone'> {
  onUse(range: DayRange): void;
}

/** The rule of the date range, with a button for the days of this device if they are others, and buttons for common ranges. */
function RangeHelp({ filter, zone, onUse, onZone }: RangeHelpProps) {
  const local = localZone();
  return h(
    'div',
    { class: 'range-help' },
    h('span', { class: 'help', id: 'range-help' }, `From and To are whole days of ${zone}, both included.`),
    zone !== local &&
      h('button', { type: 'button', class: 'link', onClick: () => onZone(local) }, `Use days of ${local}`),
    h(
      'span',
      { class: 'presets', role: 'group', 'aria-label': 'Common ranges' },
      presets(dayIn(zone)).map(([name, range]) =>
        h(
          'button',
          {
            type: 'button',
            class: 'link preset',
            key: name,
            'aria-pressed': filter.from === range.from && filter.to === range.to,
            onClick: () => onUse(range),
          },
          name,
        ),
      ),
    ),
  );
}

interface SelectFieldProps {
  'aria-invalid': 'true' | undefined;
  id: string;
  label: string;
  value: string;
  options: readonly string[];
  text?(option: string): string;
  onChange(event: Event): void;
}

/** An unknown value of the address is offered too; the service then explains that it is unknown. */
function SelectField({ id, label, value, options, text = String, ...attributes }: SelectFieldProps) {
  const offered = value === '' || options.includes(value) ? options : [...options, value];
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    h(
      'select',
      { id, value, ...attributes },
      h('option', { value: '' }, 'Any'),
      offered.map((option) => h('option', { value: option, key: option }, text(option))),
    ),
  );
}

interface DayFieldProps {
  'aria-invalid': 'true' | undefined;
  id: string;
  label: string;
  zone: string;
  value: string;
  onInput(event: Event): void;
}

function DayField({ id, label, zone, ...attributes }: DayFieldProps) {
  return h(
    'div',
    { class: 'field field-day' },
    h('label', { for: id }, `${label} `, h('span', { class: 'label-note' }, `(${placeOf(zone)})`)),
    h('input', {
      id,
      type: 'date',
      min: '0001-01-01',
      max: '9999-12-31',
      'aria-describedby': 'range-help range-advice',
      ...attributes,
    }),
  );
}
