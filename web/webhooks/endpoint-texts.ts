import { endpoints } from '../text/en/endpoints.ts';
import { texts as ofPage } from '../text/language.ts';

/**
 * This script contains the English texts. Texts in other languages are loaded together with the page's texts.
 */
export const texts: typeof ofPage & typeof endpoints = { ...endpoints, ...ofPage };
