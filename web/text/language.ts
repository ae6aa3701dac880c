import { en, type Texts } from './en.ts';

/** The language of all texts, and of the words that the browser knows. */
export const language = 'en';

/** What the page says. */
export const texts: Texts = en;
