import { language, locale } from './language.ts';

/** The forms of a noun after a number, by the rules of its language. */
export interface Forms {
  one: string;
  other: string;
  /** The French form after whole millions. */
  many?: string;
}

const PLURALS = new Intl.PluralRules(language);

/** A number with grouped thousands, as in the user's language, but with the digits 0 to 9 as in amounts. */
export const number = (value: number): string => value.toLocaleString(locale, { numberingSystem: 'latn' });

/** A number with its noun: "1 change", "1,200 changes". */
export const counted = (count: number, forms: Forms): string => `${number(count)} ${formOf(count, forms)}`;

export const formOf = (count: number, forms: Forms): string =>
  forms[PLURALS.select(count) as keyof Forms] ?? forms.other;
