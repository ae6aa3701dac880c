import { FIELD_LABELS, type Words } from '../../values/interface/fields.ts';
import { language } from './language.ts';

export const inLanguage = (words: Words): string => words[language];

export const labels = Object.fromEntries(
  Object.entries(FIELD_LABELS).map(([name, words]) => [name, inLanguage(words)]),
) as Readonly<Record<keyof typeof FIELD_LABELS, string>>;

/** In German, nouns and formal pronouns keep their capitals. */
export const withinSentence = (label: string): string =>
  language === 'de' ? label : label.charAt(0).toLowerCase() + label.slice(1);
