import { sheet } from '../text/en/sheet.ts';
import { texts as ofPage } from '../text/language.ts';

/** The English texts are in this script. In another language, they are loaded with all texts of the page. */
export const texts: typeof sheet.$sheet = { ...sheet, ...ofPage }.$sheet;
