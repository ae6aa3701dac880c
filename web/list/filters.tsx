import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { DaysChips } from '../parts/days-chips.tsx';
import { Choices } from '../parts/popover.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import { EQUALITIES, SHOWN_FILTERS } from '../state/filters.ts';
import { type Filter, isFiltered, listRoute } from '../state/route.ts';
import { byImportance, STATUSES } from '../state/statuses.ts';
import { navigate } from '../state/use-route.ts';
import { texts } from '../text/language.ts';

interface FiltersProps {
  filter: Filter;
  currencies: readonly string[];
  faulty: readonly string[];
}

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
        // The value from the address is always a choice, even if the service refuses it as unknown.
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
      <DaysChips filter={filter} faulty={faulty} isClearable onApply={apply} />
      {isFiltered(filter) && (
        <Button class="link" onClick={() => navigate(listRoute())}>
          {texts.$clear}
        </Button>
      )}
      <ZoneSwitch />
    </Toolbar>
  );
}
