import { review } from '../text/en/review.ts';
import { texts as ofPage } from '../text/language.ts';

/** The script has the English texts. The texts of another language were added before it was loaded. */
export const texts: typeof review.$review = { ...review, ...ofPage }.$review;
