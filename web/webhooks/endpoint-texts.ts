import { endpoints } from '../text/en/endpoints.ts';
import { texts as ofPage } from '../text/language.ts';

export const texts: typeof ofPage & typeof endpoints = { ...endpoints, ...ofPage };
