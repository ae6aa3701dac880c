import { review } from '../text/en/review.ts';
import { texts as ofPage } from '../text/language.ts';

/** English is in this script. Other languages are loaded with all texts of the page. */
export const texts: typeof review.$review = { ...review, ...ofPage }.$review;
