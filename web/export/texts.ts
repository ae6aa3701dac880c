import { sheet } from '../text/en/sheet.ts';
import { texts as ofPage } from '../text/language.ts';

export const texts: typeof sheet.$sheet = { ...sheet, ...ofPage }.$sheet;
