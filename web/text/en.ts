import type { ErrorCode } from '../../client/src/errors.ts';
import type { ShownError } from '../../values/interface/shown-errors.ts';
import type { endpoints } from './en/endpoints.ts';
import { frame } from './en/frame.ts';
import { list } from './en/list.ts';
import type { reconcile } from './en/reconcile.ts';
import type { review } from './en/review.ts';
import type { sheet } from './en/sheet.ts';
import { transaction } from './en/transaction.ts';

/** Texts of screens that are loaded later are not here. The build may shorten names that start with $. */
export const en = {
  $statuses: new Map<string, string>(),
  $detailNames: new Map<string, string>(),
  /** Texts by the service's error codes. */
  $problems: new Map<ErrorCode, ShownError>(),
  ...frame,
  ...list,
  ...transaction,
};

export type Texts = typeof en;

export type LaterTexts = typeof endpoints & typeof reconcile & typeof review & typeof sheet;
