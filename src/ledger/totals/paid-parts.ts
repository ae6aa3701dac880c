import { FIRST_TIMESTAMP_MS } from '../../values/calendar.ts';

/** Where the part of paid_at_ms begins whose length is a value of a statement; null if that is null. */
export const partStartSql = (length: string): string =>
  `paid_at_ms - (paid_at_ms + ${-FIRST_TIMESTAMP_MS}) % ${length}`;
