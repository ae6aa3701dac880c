import { frame } from './en/frame.ts';
import { list } from './en/list.ts';
import { transaction } from './en/transaction.ts';

/** The texts of the page in English, but for those of screens that are loaded later. Their names begin with $, so that the build can shorten them. */
export const en = {
  /** Statuses and details that the service names in other words than people use; the others are as the service names them. */
  $statuses: new Map<string, string>(),
  /** Titles of the service's errors by their codes. In English, they are those of the service. */
  $problems: new Map<string, string>(),
  ...frame,
  ...list,
  ...transaction,
};

/** What each language has. */
export type Texts = typeof en;
