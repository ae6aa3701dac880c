import { endpoints } from '../text/en/endpoints.ts';
import { texts as ofPage } from '../text/language.ts';

/**
 * The texts of the page and of this screen. The English ones of this screen are in its script. The texts in
 * other languages are loaded with all texts of the page.
 */
export const texts: typeof ofPage & typeof endpoints = { ...endpoints, ...ofPage };
