import { language } from './language.ts';

const PLURALS = new Intl.PluralRules(language);

/** The language of numbers: the reader's, as the browser has it. Unit tests run without a browser, in English. */
export const LANGUAGE = 'document' in globalThis ? undefined : 'en';

/** A number with its thousands grouped as the reader's language does, and the digits that amounts have. */
export const number = (value: number): string => value.toLocaleString(LANGUAGE, { numberingSystem: 'latn' });

/** The forms of a noun beside a number, by the rules of its language. */
interface Forms {
  one: string;
  other: string;
  /** In French, beside whole millions. */
  many?: string;
}

/** A number of things: "1 change", "1,200 changes". */
export const counted = (count: number, forms: Forms): string => `${number(count)} ${formOf(count, forms)}`;

/** The form of a noun beside a number. */
export const formOf = (count: number, forms: Forms): string =>
  forms[PLURALS.select(count) as keyof Forms] ?? forms.other;
