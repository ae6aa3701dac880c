import { review } from '../text/en/review.ts';
import { texts as ofPage } from '../text/language.ts';

/** The script contains the English texts. In another language, all texts of the page are loaded at once. */
export const texts: typeof review.$review = { ...review, ...ofPage }.$review;
