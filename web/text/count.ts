import type { Forms } from './forms.ts';
import { language, locale } from './language.ts';

const PLURALS = new Intl.PluralRules(language);

/** A number with its thousands grouped as the reader's language does, and the digits that amounts have. */
export const number = (value: number): string => value.toLocaleString(locale, { numberingSystem: 'latn' });

/** A number of things: "1 change", "1,200 changes". */
export const counted = (count: number, forms: Forms): string => `${number(count)} ${formOf(count, forms)}`;

/** The form of a noun beside a number. */
export const formOf = (count: number, forms: Forms): string =>
  forms[PLURALS.select(count) as keyof Forms] ?? forms.other;
