import { endpoints } from '../text/en/endpoints.ts';
import { texts as ofPage } from '../text/language.ts';

/** English is in this script. Other languages are loaded with all texts of the page. */
export const texts: typeof ofPage & typeof endpoints = { ...endpoints, ...ofPage };
