import { useEffect, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { DaysChips } from '../parts/days-chips.tsx';
import { Choices } from '../parts/popover.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { ZoneSwitch } from '../parts/zone-switch.tsx';
import type { Api } from '../state/api.ts';
import { EQUALITIES, SHOWN_FILTERS } from '../state/filters.ts';
import { type Filter, isFiltered, listRoute } from '../state/route.ts';
import { byImportance, STATUSES } from '../state/statuses.ts';
import { useApi } from '../state/use-api.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';

interface FiltersProps {
  filter: Filter;
  faulty: readonly string[];
}

export function Filters({ filter, faulty }: FiltersProps) {
  const choicesOf = { statuses: [...STATUSES.keys()].sort(byImportance), currencies: useCurrencies() };
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

const known = new WeakMap<Api, Promise<readonly string[]>>();

/** If the request fails, it is sent again when a list is opened. */
function useCurrencies(): readonly string[] {
  const api = useApi();
  const [currencies, setCurrencies] = useState<readonly string[]>([]);
  const { visit } = useRoute();
  useEffect(() => {
    const loading = known.get(api) ?? load(api);
    known.set(api, loading);
    loading.then(setCurrencies, () => known.delete(api));
  }, [api, visit]);
  return currencies;
}

async function load(api: Api): Promise<readonly string[]> {
  // Waits for a microtask, so that the list and its totals are requested first.
  await undefined;
  const { data } = await api.totals({});
  return [...new Set(data.map(({ currencyCode }) => currencyCode))];
}
