import { addCopying } from './copying.ts';
import { addForms } from './forms.ts';
import { addSearch } from './search.ts';
import { addTrials } from './trials.ts';

for (const [list, width] of [
  ['.pages', '52.01rem'],
  ['.here', '74.01rem'],
] as const) {
  const details = document.querySelector<HTMLDetailsElement>(list);
  if (details !== null && matchMedia(`(min-width: ${width})`).matches) details.open = true;
}
document.querySelector('.pages a[aria-current]')?.scrollIntoView({ block: 'nearest' });

addForms();
addCopying();
addSearch();
addTrials();
