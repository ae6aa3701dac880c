import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { containsText } from '../../../values/search-pattern.ts';

/**
 * True if one of a transaction's texts contains the searched text. It is as fast as GLOB, which cannot search
 * for one or two letters.
 */
function hasText(
  text: string,
  reference: string,
  merchantReference: string | null,
  details: string | null,
): number {
  const isFound =
    containsText(reference, text) ||
    (merchantReference !== null && containsText(merchantReference, text)) ||
    (details !== null &&
      Object.values<string>(JSON.parse(details)).some((value) => containsText(value, text)));
  return Number(isFound);
}

/** Adds the function `has_text` to a connection. */
export function addTextSearch(db: DatabaseSync): void {
  db.function('has_text', { deterministic: true }, hasText as (...values: SQLInputValue[]) => number);
}
