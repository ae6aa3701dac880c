import { describeDays, type Filter, type FilterName, listRoute, quoted } from '../state/route.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { statusText } from '../text/status.ts';
import { Button } from './button.tsx';

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
  const { status, currency, merchantReference } = filter;
  const chip = (text: string | undefined, ...names: FilterName[]): Chip[] =>
    text === undefined ? [] : [{ text, names }];
  return [
    ...chip(status && statusText(status), 'status'),
    ...chip(currency, 'currency'),
    ...chip(merchantReference && `${texts.$yourReference} ${quoted(merchantReference)}`, 'merchantReference'),
    ...chip(describeDays(filter, zone), 'from', 'to', 'by'),
  ];
}

function without(filter: Filter, names: readonly FilterName[]): Filter {
  const left = { ...filter };
  for (const name of names) delete left[name];
  return left;
}
