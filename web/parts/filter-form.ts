import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FILTER_NAMES, type Filter, isFiltered } from '../state/route.ts';
import { addDays, adviseRange, utcDay } from '../text/date-range.ts';
import { statusText } from '../text/status.ts';
import { RangeAdvice } from './range-advice.ts';

interface FilterFormProps {
  filter: Filter;
  statuses: readonly string[];
  onApply(filter: Filter): void;
}

const QUICK_RANGES = [7, 30, 90];
const FINE = { kind: 'fine' } as const;

/** Status, currency, reference and days. The filters take effect with Apply. */
export function FilterForm({ filter, statuses, onApply }: FilterFormProps) {
  const [draft, setDraft] = useState<Filter>(filter);
  const applied = FILTER_NAMES.map((name) => filter[name] ?? '').join('\n');
  useEffect(() => setDraft(filter), [applied]);

  const set = (name: keyof Filter) => (event: Event) =>
    setDraft({ ...draft, [name]: (event.currentTarget as HTMLInputElement).value });
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    onApply(withoutBlanks(draft));
  };
  const applyRange = (range: Filter) => onApply(withoutBlanks({ ...draft, ...range }));
  // For an applied range, the panel below the form has the advice.
  const isApplied = draft.from === filter.from && draft.to === filter.to;
  const advice = isApplied ? FINE : adviseRange(draft.from, draft.to);

  return h(
    'form',
    { class: 'filters', onSubmit: apply, 'aria-label': 'Filters' },
    h(StatusField, { value: draft.status ?? '', statuses, onChange: set('status') }),
    h(
      'div',
      { class: 'field field-currency' },
      h('label', { for: 'currency' }, 'Currency'),
      h('input', {
        id: 'currency',
        value: draft.currency ?? '',
        placeholder: 'Any',
        maxLength: 3,
        autocomplete: 'off',
        autocapitalize: 'characters',
        spellcheck: false,
        onInput: set('currency'),
      }),
    ),
    h(
      'div',
      { class: 'field field-reference' },
      h('label', { for: 'merchant-reference' }, 'Your reference'),
      h('input', {
        id: 'merchant-reference',
        value: draft.merchantReference ?? '',
        placeholder: 'Any, or a complete reference',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
        onInput: set('merchantReference'),
      }),
    ),
    h(DayField, { id: 'from', label: 'From', value: draft.from ?? '', onInput: set('from') }),
    h(DayField, { id: 'to', label: 'To', value: draft.to ?? '', onInput: set('to') }),
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
    h(RangeHelp, { onUse: applyRange }),
    h(RangeAdvice, { advice, onUse: (range) => setDraft({ ...draft, ...range }) }),
  );
}

/** The filter to apply: no empty values, capitals for the currency. The reference stays unchanged: it can have spaces. */
function withoutBlanks(draft: Filter): Filter {
  const filter: Filter = {};
  for (const name of FILTER_NAMES) {
    const value = name === 'merchantReference' ? draft[name] : draft[name]?.trim();
    if (value) filter[name] = name === 'currency' ? value.toUpperCase() : value;
  }
  return filter;
}

/** The rule of the date range, with buttons for common ranges. */
function RangeHelp({ onUse }: { onUse(range: Filter): void }) {
  const today = utcDay(Date.now());
  return h(
    'div',
    { class: 'range-help', id: 'range-help' },
    h('span', { class: 'help' }, 'From and To are whole UTC days, both included, at most 90 days apart.'),
    h(
      'span',
      { class: 'quick-ranges' },
      QUICK_RANGES.map((days) =>
        h(
          'button',
          {
            type: 'button',
            class: 'link',
            key: days,
            onClick: () => onUse({ from: addDays(today, 1 - days), to: today }),
          },
          `Last ${days} days`,
        ),
      ),
    ),
  );
}

interface StatusFieldProps {
  value: string;
  statuses: readonly string[];
  onChange(event: Event): void;
}

/** An unknown status from the address is offered too; the service then explains that it is unknown. */
function StatusField({ value, statuses, onChange }: StatusFieldProps) {
  const offered = value === '' || statuses.includes(value) ? statuses : [...statuses, value];
  return h(
    'div',
    { class: 'field' },
    h('label', { for: 'status' }, 'Status'),
    h(
      'select',
      { id: 'status', value, onChange },
      h('option', { value: '' }, 'Any'),
      offered.map((status) => h('option', { value: status, key: status }, statusText(status))),
    ),
  );
}

interface DayFieldProps {
  id: string;
  label: string;
  value: string;
  onInput(event: Event): void;
}

function DayField({ id, label, value, onInput }: DayFieldProps) {
  return h(
    'div',
    { class: 'field field-day' },
    h('label', { for: id }, `${label} `, h('span', { class: 'label-note' }, '(UTC)')),
    h('input', {
      id,
      type: 'date',
      value,
      min: '0001-01-01',
      max: '9999-12-31',
      'aria-describedby': 'range-help range-advice',
      onInput,
    }),
  );
}
