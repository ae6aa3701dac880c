import { sheet } from '../text/en/sheet.ts';
import { texts as ofPage } from '../text/language.ts';

/** English is in this script. Other languages are loaded with all texts of the page. */
export const texts: typeof sheet.$sheet = { ...sheet, ...ofPage }.$sheet;
