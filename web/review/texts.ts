import { review } from '../text/en/review.ts';
import { texts as ofPage } from '../text/language.ts';

export const texts: typeof review.$review = { ...review, ...ofPage }.$review;
