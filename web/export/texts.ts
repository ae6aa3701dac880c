import { sheet } from '../text/en/sheet.ts';
import { texts as ofPage } from '../text/language.ts';

/** In English, or in the language that the page loaded before this script. */
export const texts: typeof sheet.$sheet = { ...sheet, ...ofPage }.$sheet;
