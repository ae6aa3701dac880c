import { endpoints } from '../text/en/endpoints.ts';
import { texts as ofPage } from '../text/language.ts';

/** The English texts are in this script. In another language, they are loaded with all texts of the page. */
export const texts: typeof ofPage & typeof endpoints = { ...endpoints, ...ofPage };
