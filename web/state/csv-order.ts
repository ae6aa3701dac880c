import type { Filter } from './route.ts';

/** A click on "Save as CSV": another click is another object. */
export interface CsvOrder {
  filter: Filter;
}

export interface CsvFileProps {
  apiKey: string;
  order: CsvOrder;
  onSaving(isSaving: boolean): void;
}
