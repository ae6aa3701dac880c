import { BY_PAYMENT, type DaysRoute, type Filter } from '../state/route.ts';
import { navigate } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { DayInput } from './day-input.tsx';
import { Select } from './select.tsx';

interface DaysFieldsProps {
  /** The screen whose days these are. */
  view: DaysRoute['view'];
  legend: string;
  filter: Filter;
}

/**
 * Which transactions a screen is of: those of whole days, by payment or by creation. The address has them.
 */
export function DaysFields({ view, legend, filter }: DaysFieldsProps) {
  const set = (name: 'from' | 'to' | 'by') => (value: string) => {
    const changed = { ...filter, [name]: value };
    const kept = Object.fromEntries(Object.entries(changed).filter(([, one]) => one));
    navigate({ view, filter: kept }, [], { isReplaced: true });
  };
  return (
    <fieldset class="days-fields">
      <legend>{legend}</legend>
      <div class="field field-day">
        <label for="days-from">{texts.$from}</label>
        <DayInput id="days-from" day={filter.from} onDay={set('from')} />
      </div>
      <div class="field field-day">
        <label for="days-to">{texts.$to}</label>
        <DayInput id="days-to" day={filter.to} onDay={set('to')} />
      </div>
      <div class="field">
        <label for="days-by">{texts.$daysOf}</label>
        <Select
          id="days-by"
          value={filter.by ?? ''}
          choices={[
            ['', texts.$ofCreation],
            [BY_PAYMENT, texts.$ofPayment],
          ]}
          onChoose={set('by')}
        />
      </div>
    </fieldset>
  );
}
