import { review } from '../text/en/review.ts';
import { texts as ofPage } from '../text/language.ts';

/**
 * The texts of this screen. The English ones are in its script. The texts in other languages are loaded with
 * all texts of the page.
 */
export const texts: typeof review.$review = { ...review, ...ofPage }.$review;
