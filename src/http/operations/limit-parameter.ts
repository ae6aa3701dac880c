import { quote } from '../../../values/quote.ts';
import { isWholeNumber, WHOLE_NUMBER } from '../../../values/whole-number.ts';
import { Type } from '../schemas/type.ts';
import type { QueryParameter } from './query.ts';

/** How many items a page can have, and how many it has without the parameter limit. */
export const MAX_ITEMS = 1000;
export const DEFAULT_ITEMS = 100;

/** The parameter limit of a collection that goes on with after. `items` and `last` name its items, and what after takes of the last one. */
export const limitParameter = (items: string, last: string): QueryParameter<'invalid_limit', number> => ({
  schema: Type.Integer({
    minimum: 1,
    maximum: MAX_ITEMS,
    default: DEFAULT_ITEMS,
    description: `The most ${items} of the page.`,
  }),
  isValid: isWholeNumber(1, MAX_ITEMS),
  fault: (value) => ({ code: 'invalid_limit', detail: explainLimit(value, items, last) }),
});

function explainLimit(value: string, items: string, last: string): string {
  if (!WHOLE_NUMBER.test(value))
    return `${quote(value)} is not a number of ${items}. Send a whole number from 1 to ${MAX_ITEMS}.`;
  if (value === '0') return `limit must be at least 1. Send a whole number from 1 to ${MAX_ITEMS}.`;
  return `limit can be at most ${MAX_ITEMS}. Send limit=${MAX_ITEMS}, and ${last} as after for more.`;
}
