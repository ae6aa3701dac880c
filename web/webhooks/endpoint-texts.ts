import { endpoints } from '../text/en/endpoints.ts';
import { texts as ofPage } from '../text/language.ts';

/** The script has the English texts. The texts of another language were added before it was loaded. */
export const texts: typeof ofPage & typeof endpoints = { ...endpoints, ...ofPage };
