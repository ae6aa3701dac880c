import { Button } from '../parts/button.tsx';
import { EQUALITIES, SHOWN_FILTERS } from '../state/filters.ts';
import { describeDays, type Filter, type FilterName, listRoute } from '../state/route.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';

/** A filter that is applied: what it is called, and the names that are removed with it. */
interface Chip {
  text: string;
  names: readonly FilterName[];
}

/** The filters that are applied. A click removes one. */
export function FilterChips({ filter }: { filter: Filter }) {
  const { zone } = useRoute();
  const chips = chipsOf(filter, zone);
  if (chips.length === 0) return <p class="heading-filter">{texts.$allNewestFirst}</p>;
  return (
    <ul class="chips" aria-label={texts.$filtersInUse}>
      {chips.map(({ text, names }) => (
        <li key={names.join()}>
          <Button
            class="chip"
            aria-label={texts.$removeFilterOf(text)}
            title={texts.$removeFilter}
            onClick={() => navigate(listRoute(without(filter, names)))}
          >
            {text}
            <span class="chip-remove" aria-hidden="true">
              {'\u00d7'}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function chipsOf(filter: Filter, zone: string): Chip[] {
  const days = describeDays(filter, zone);
  return [
    ...EQUALITIES.flatMap((name) => {
      const value = filter[name];
      return value ? [{ text: SHOWN_FILTERS[name].text(value), names: [name] }] : [];
    }),
    ...(days ? [{ text: days, names: ['from', 'to', 'by'] as const }] : []),
  ];
}

function without(filter: Filter, names: readonly FilterName[]): Filter {
  const left = { ...filter };
  for (const name of names) delete left[name];
  return left;
}
