import { endpoints } from '../text/en/endpoints.ts';
import { texts as ofPage } from '../text/language.ts';

/**
 * The texts of the page and of this screen. Those in English come with its script, those in another language
 * with all texts of the page.
 */
export const texts: typeof ofPage & typeof endpoints = { ...endpoints, ...ofPage };
