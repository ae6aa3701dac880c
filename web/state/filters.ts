import type { EqualityFilter } from '../../values/interface/filters.ts';
import { texts } from '../text/language.ts';
import { statusText, statusWord } from '../text/status.ts';

/** How the page shows a filter that a field of the transaction must equal. */
interface ShownFilter {
  label: string;
  /** The text of its chip without a value. */
  any: string;
  /** The texts of its chip and its choices. */
  text(value: string): string;
  /** The text in a sentence that lists filters. */
  inSentence(value: string): string;
  /** The values to choose from; absent if the search sets the filter. */
  choices?: 'statuses' | 'currencies';
}

const quoted = (text: string) => (text === text.trim() ? text : `"${text}"`);

/** In the order of the chips. */
export const SHOWN_FILTERS: Readonly<Record<EqualityFilter, ShownFilter>> = {
  status: {
    label: texts.$status,
    any: texts.$anyStatus,
    text: statusText,
    inSentence: statusWord,
    choices: 'statuses',
  },
  currency: {
    label: texts.$currency,
    any: texts.$anyCurrency,
    text: String,
    inSentence: String,
    choices: 'currencies',
  },
  merchantReference: {
    label: texts.$yourReference,
    any: texts.$anyReference,
    text: quoted,
    inSentence: (value) => texts.$filterReference(quoted(value)),
  },
};

export const EQUALITIES = Object.keys(SHOWN_FILTERS) as readonly EqualityFilter[];
