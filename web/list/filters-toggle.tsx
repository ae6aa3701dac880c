import { Button } from '../parts/button.tsx';
import { FILTER_NAMES, type Filter } from '../state/route.ts';
import { texts } from '../text/language.ts';

interface FiltersToggleProps {
  filter: Filter;
  isOpen: boolean;
  onToggle(): void;
}

/** Shows the fields of the filters on a narrow screen, which has no room for them beside the list. */
export function FiltersToggle({ filter, isOpen, onToggle }: FiltersToggleProps) {
  // Both days and what they are of are one filter, as among the chips.
  const used = new Set(
    FILTER_NAMES.filter((name) => filter[name]).map((name) => (['to', 'by'].includes(name) ? 'from' : name)),
  );
  return (
    <Button class="button filters-toggle" aria-expanded={isOpen} aria-controls="filters" onClick={onToggle}>
      {used.size > 0 ? texts.$filtersUsed(used.size) : texts.$filters}
    </Button>
  );
}
