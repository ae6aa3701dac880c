import { review } from '../text/en/review.ts';
import { texts as ofPage } from '../text/language.ts';

/**
 * The texts of this screen. Those in English come with its script, those in another language with all texts
 * of the page.
 */
export const texts: typeof review.$review = { ...review, ...ofPage }.$review;
