import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FILTER_NAMES, type Filter, isFiltered } from '../state/route.ts';
import { addDays, adviseRange, type DayRange, monthOf, quarterOf } from '../text/date-range.ts';
import { statusText } from '../text/status.ts';
import { dayIn, placeOf } from '../text/time.ts';
import { RangeAdvice } from './range-advice.ts';

interface FilterFormProps {
  filter: Filter;
  zone: string;
  statuses: readonly string[];
  /** The names of the filters that the service refuses. */
  faulty: readonly string[];
  /** Whether a narrow screen shows the fields. Others always do. */
  isOpen: boolean;
  onApply(filter: Filter): void;
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
const FINE = { kind: 'fine' } as const;
/** An API key must not get into an address or a request. */
const NO_KEY = '(?!.*tk_(live|operator)_).*';

/** Status, currency, reference and days. The filters take effect with Apply. */
export function FilterForm({ filter, zone, statuses, faulty, isOpen, onApply }: FilterFormProps) {
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
  const reference = useRef<HTMLInputElement>(null);
  const applyRange = (range: DayRange) => {
    if (reference.current?.reportValidity()) onApply(withoutBlanks({ ...draft, ...range }));
  };
  // For an applied range, the panel below the form has the advice.
  const isApplied = draft.from === filter.from && draft.to === filter.to;
  const advice = isApplied ? FINE : adviseRange(draft.from, draft.to);

  return h(
    'form',
    {
      id: 'filters',
      class: isOpen ? 'filters filters-open' : 'filters',
      onSubmit: apply,
      'aria-label': 'Filters',
    },
    h(StatusField, { value: draft.status ?? '', statuses, onChange: set('status'), ...invalid('status') }),
    h(CurrencyField, { value: draft.currency ?? '', onInput: set('currency'), ...invalid('currency') }),
    h(
      'div',
      { class: 'field field-reference' },
      h('label', { for: 'merchant-reference' }, 'Your reference'),
      h('input', {
        id: 'merchant-reference',
        ...invalid('merchantReference'),
        ref: reference,
        pattern: NO_KEY,
        title: 'A reference, not an API key',
        value: draft.merchantReference ?? '',
        placeholder: 'Any, or a complete reference',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
        onInput: set('merchantReference'),
      }),
    ),
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
    h(RangeHelp, { filter, zone, onUse: applyRange }),
    h(RangeAdvice, { advice, onUse: (range) => setDraft({ ...draft, ...range }) }),
  );
}

/**
 * The filter to apply: no empty values, capitals for the currency. The reference keeps its spaces: it can begin and end with
 * them, but not with a tab.
 */
function withoutBlanks(draft: Filter): Filter {
  const filter: Filter = {};
  for (const name of FILTER_NAMES) {
    const value = name === 'merchantReference' ? draft[name]?.replace(/^\t+|\t+$/g, '') : draft[name]?.trim();
    if (value) filter[name] = name === 'currency' ? value.toUpperCase() : value;
  }
  return filter;
}

/** The rule of the date range, with buttons for common ranges. */
function RangeHelp({ filter, zone, onUse }: { filter: Filter; zone: string; onUse(range: DayRange): void }) {
  return h(
    'div',
    { class: 'range-help' },
    h(
      'span',
      { class: 'help', id: 'range-help' },
      `From and To are whole days of ${zone}, both included. A list covers at most 90 days.`,
    ),
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

interface StatusFieldProps {
  'aria-invalid': 'true' | undefined;
  value: string;
  statuses: readonly string[];
  onChange(event: Event): void;
}

/** An unknown status from the address is offered too; the service then explains that it is unknown. */
function StatusField({ value, statuses, ...attributes }: StatusFieldProps) {
  const offered = value === '' || statuses.includes(value) ? statuses : [...statuses, value];
  return h(
    'div',
    { class: 'field' },
    h('label', { for: 'status' }, 'Status'),
    h(
      'select',
      { id: 'status', value, ...attributes },
      h('option', { value: '' }, 'Any'),
      offered.map((status) => h('option', { value: status, key: status }, statusText(status))),
    ),
  );
}

interface CurrencyFieldProps {
  'aria-invalid': 'true' | undefined;
  value: string;
  onInput(event: Event): void;
}

function CurrencyField(attributes: CurrencyFieldProps) {
  return h(
    'div',
    { class: 'field field-currency' },
    h('label', { for: 'currency' }, 'Currency'),
    h('input', {
      id: 'currency',
      placeholder: 'Any',
      maxLength: 3,
      autocomplete: 'off',
      autocapitalize: 'characters',
      spellcheck: false,
      ...attributes,
    }),
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
