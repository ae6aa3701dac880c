import type { ErrorCode } from '../../client/src/errors.ts';
import type { endpoints } from './en/endpoints.ts';
import { frame } from './en/frame.ts';
import { list } from './en/list.ts';
import type { reconcile } from './en/reconcile.ts';
import type { review } from './en/review.ts';
import type { sheet } from './en/sheet.ts';
import { transaction } from './en/transaction.ts';

/**
 * The English texts of the page, without those of screens that are loaded later. Their names start with $, so
 * that the build can shorten them.
 */
export const en = {
  /** Statuses and details whose names differ from the service's names. In English none do. */
  $statuses: new Map<string, string>(),
  $detailNames: new Map<string, string>(),
  /** Titles for the service's errors by their codes. English uses the service's titles. */
  $problems: new Map<ErrorCode, string>(),
  ...frame,
  ...list,
  ...transaction,
};

/** The texts of the page in each language. */
export type Texts = typeof en;

/** The texts in another language, including those of screens that are loaded later. */
export type AllTexts = Texts & typeof endpoints & typeof reconcile & typeof review & typeof sheet;
