import { language, locale } from './language.ts';

export interface Forms {
  one: string;
  other: string;
  /** The form that French uses after whole millions, such as "de transactions". */
  many?: string;
}

const PLURALS = new Intl.PluralRules(language);

export const number = (value: number): string => value.toLocaleString(locale, { numberingSystem: 'latn' });

export const counted = (count: number, forms: Forms): string => `${number(count)} ${formOf(count, forms)}`;

export const formOf = (count: number, forms: Forms): string =>
  forms[PLURALS.select(count) as keyof Forms] ?? forms.other;
