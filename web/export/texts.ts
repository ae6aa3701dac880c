import { sheet } from '../text/en/sheet.ts';
import { texts as ofPage } from '../text/language.ts';

/**
 * The texts of a spreadsheet. The English ones are in its script. The texts in other languages are loaded
 * with all texts of the page.
 */
export const texts: typeof sheet.$sheet = { ...sheet, ...ofPage }.$sheet;
