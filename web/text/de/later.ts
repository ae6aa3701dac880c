import type { LaterTexts } from '../en.ts';
import { endpoints } from './endpoints.ts';
import { reconcile } from './reconcile.ts';
import { review } from './review.ts';
import { sheet } from './sheet.ts';

export const texts: LaterTexts = { ...endpoints, ...reconcile, ...review, ...sheet };
