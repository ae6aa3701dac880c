import type { LocalMonth } from '../text/local-month.ts';
import type { Failure } from './failure.ts';
import type { Filter, Route } from './route.ts';

export type FileFormat = 'csv' | 'xlsx';

/** A click on a button that saves a file: another click is another object. */
export interface FileOrder {
  filter: Filter;
  format: FileFormat;
  /** Replaces the days of the filter. */
  month?: LocalMonth | undefined;
}

export interface SavedFileProps {
  apiKey: string;
  account: string;
  order: FileOrder;
  /** What is shown, and the account that its address is for. */
  route: Route;
  linkedAccount: string | undefined;
  onSaving(isSaving: boolean): void;
  /** The service refuses the key. */
  onSignedOut(cause: Failure): void;
}
