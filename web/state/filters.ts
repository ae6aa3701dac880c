import { type EqualityFilter, FILTER_CHIPS, FILTERS } from '../../values/interface/filters.ts';
import { inLanguage, labels, withinSentence } from '../text/labels.ts';
import { statusText, statusWord } from '../text/status.ts';

interface ShownFilter {
  label: string;
  any: string;
  text(value: string): string;
  inSentence(value: string): string;
  choices?: Choices | undefined;
}

type Choices = 'statuses' | 'currencies';

const TEXTS: Readonly<Record<Choices, Pick<ShownFilter, 'text' | 'inSentence'>>> = {
  statuses: { text: statusText, inSentence: statusWord },
  currencies: { text: String, inSentence: String },
};

const quoted = (text: string) => (text === text.trim() ? text : `"${text}"`);

export const EQUALITIES = Object.keys(FILTER_CHIPS) as readonly EqualityFilter[];

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
