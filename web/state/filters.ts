import { type EqualityFilter, FILTER_CHIPS, FILTERS } from '../../values/interface/filters.ts';
import { inLanguage, labels, withinSentence } from '../text/labels.ts';
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
  choices?: Choices | undefined;
}

type Choices = 'statuses' | 'currencies';

const TEXTS: Readonly<Record<Choices, Pick<ShownFilter, 'text' | 'inSentence'>>> = {
  statuses: { text: statusText, inSentence: statusWord },
  currencies: { text: String, inSentence: String },
};

const quoted = (text: string) => (text === text.trim() ? text : `"${text}"`);

export const EQUALITIES = Object.keys(FILTER_CHIPS) as readonly EqualityFilter[];

/** In the order of the chips. */
export const SHOWN_FILTERS = Object.fromEntries(
  EQUALITIES.map((name): [string, ShownFilter] => {
    const { any, choices } = FILTER_CHIPS[name];
    const label = labels[FILTERS[name].field];
    const texts = choices
      ? TEXTS[choices]
      : { text: quoted, inSentence: (value: string) => `${withinSentence(label)} ${quoted(value)}` };
    return [name, { label, any: inLanguage(any), choices, ...texts }];
  }),
) as Readonly<Record<EqualityFilter, ShownFilter>>;
