import { read, write } from '../state/storage.ts';
import { en, type LaterTexts, type Texts } from './en.ts';

const KEY = 'transactions.language';

export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Fran\u00e7ais' };
export type Language = keyof typeof LANGUAGES;

const OTHERS: Readonly<
  Record<
    Exclude<Language, 'en'>,
    { ofPage(): Promise<{ texts: Texts }>; ofLater(): Promise<{ texts: LaterTexts }> }
  >
> = {
  de: { ofPage: () => import('./de.ts'), ofLater: () => import('./de/later.ts') },
  fr: { ofPage: () => import('./fr.ts'), ofLater: () => import('./fr/later.ts') },
};

const isLanguage = (text: string | null | undefined): text is Language =>
  text != null && Object.hasOwn(LANGUAGES, text);

// Unit tests run in English, without a browser.
const wanted: readonly string[] = 'document' in globalThis ? navigator.languages : ['en'];
const baseOf = (tag: string) => tag.split('-')[0]?.toLowerCase();
const stored = read(() => localStorage, KEY);
const chosen = isLanguage(stored) ? stored : undefined;

export let language: Language = chosen ?? wanted.map(baseOf).find(isLanguage) ?? 'en';

/** The language in which the browser writes words such as the names of months. */
export const wordLocale: string = wanted.find((tag) => baseOf(tag) === language) ?? language;

/** The language of numbers. Undefined means the browser's own language. */
export const locale: string | undefined =
  chosen === undefined && 'document' in globalThis ? undefined : wordLocale;

export const texts: Texts = await load();

async function load(): Promise<Texts> {
  if (language === 'en') return en;
  try {
    return (await OTHERS[language].ofPage()).texts;
  } catch {
    language = 'en';
    return en;
  }
}

/** Loads the translations for scripts that are loaded later. English needs none: it is in the scripts. */
export async function loadLaterTexts(): Promise<void> {
  if (language !== 'en') Object.assign(texts, (await OTHERS[language].ofLater()).texts);
}

export function chooseLanguage(other: Language): void {
  write(() => localStorage, KEY, other);
  location.reload();
}
