import type { ErrorCode } from '../../client/src/errors.ts';
import type { endpoints } from './en/endpoints.ts';
import { frame } from './en/frame.ts';
import { list } from './en/list.ts';
import type { reconcile } from './en/reconcile.ts';
import type { review } from './en/review.ts';
import type { sheet } from './en/sheet.ts';
import { transaction } from './en/transaction.ts';

/**
 * The texts of the page in English, but for those of screens that are loaded later. Their names begin with $,
 * so that the build can shorten them.
 */
export const en = {
  /** Statuses and details in other words than the service's names. In English, people use those. */
  $statuses: new Map<string, string>(),
  $detailNames: new Map<string, string>(),
  /** Titles of the service's errors by their codes. In English, they are those of the service. */
  $problems: new Map<ErrorCode, string>(),
  ...frame,
  ...list,
  ...transaction,
};

/** The texts of the page in each language. */
export type Texts = typeof en;

/** The texts of another language: also those of the screens that are loaded later. */
export type AllTexts = Texts & typeof endpoints & typeof reconcile & typeof review & typeof sheet;
