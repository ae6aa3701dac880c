import { sheet } from '../text/en/sheet.ts';
import { texts as ofPage } from '../text/language.ts';

/**
 * The texts of a spreadsheet. Those in English come with its script, those in another language with all texts
 * of the page.
 */
export const texts: typeof sheet.$sheet = { ...sheet, ...ofPage }.$sheet;
