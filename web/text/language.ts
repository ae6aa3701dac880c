import { read, write } from '../state/storage.ts';
import { type AllTexts, en, type Texts } from './en.ts';

const KEY = 'transactions.language';

/** The languages of the page, by the names that their speakers use. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Fran\u00e7ais' };
export type Language = keyof typeof LANGUAGES;

const LATER: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ texts: AllTexts }>>> = {
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
};

const isLanguage = (text: string | null | undefined): text is Language =>
  text != null && Object.hasOwn(LANGUAGES, text);

// Unit tests run without a browser, in English.
const wanted: readonly string[] = 'document' in globalThis ? navigator.languages : ['en'];
const baseOf = (tag: string) => tag.split('-')[0]?.toLowerCase();
const stored = read(() => localStorage, KEY);
const chosen = isLanguage(stored) ? stored : undefined;

/** The language of the texts: the chosen one, or the first one of the browser that the page speaks. */
export let language: Language = chosen ?? wanted.map(baseOf).find(isLanguage) ?? 'en';

/** The language of words within the texts, such as the name of a month. */
export const wordLocale: string = wanted.find((tag) => baseOf(tag) === language) ?? language;

/** The language of numbers: that of the browser, unless the person has chosen one. */
export const locale: string | undefined =
  chosen === undefined && 'document' in globalThis ? undefined : wordLocale;

export const texts: Texts = await load();

async function load(): Promise<Texts> {
  if (language === 'en') return en;
  try {
    return (await LATER[language]()).texts;
  } catch {
    // A page in English is better than none.
    language = 'en';
    return en;
  }
}

/** Loads the page again in another language, at the same place. */
export function chooseLanguage(other: Language): void {
  write(() => localStorage, KEY, other);
  location.reload();
}
