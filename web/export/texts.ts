import { sheet } from '../text/en/sheet.ts';
import { texts as ofPage } from '../text/language.ts';

/**
 * This script contains the English texts. Texts in other languages are loaded together with the page's texts.
 */
export const texts: typeof sheet.$sheet = { ...sheet, ...ofPage }.$sheet;
