import { ArgumentError } from './errors.ts';
import { checkTexts } from './filters.ts';
import { isTextOrNull } from './response.ts';
import { FILTERS, type ListFilters } from './transaction.ts';
import type { SavedPosition } from './transaction-list.ts';

const isTimestamp = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/.test(value);

/**
 * The filters of a list, without the undefined ones.
 *
 * @throws ArgumentError if a value is not a string.
 * @throws TypeError for an unknown filter.
 */
export function checkFilters(filters: ListFilters): ListFilters {
  if (filters !== null && typeof filters === 'object' && 'cursor' in filters)
    throw new ArgumentError('list takes no cursor. To continue a saved position, use resume.');
  return checkTexts(filters, FILTERS);
}

/**
 * A saved position whose form is checked, because it can come from anywhere.
 *
 * @throws ArgumentError
 */
export function checkSavedPosition(saved: SavedPosition): SavedPosition {
  const { version, filters, last, next } = saved ?? {};
  if (version !== 1)
    throw new ArgumentError('The saved position has a version that this client does not know.');
  const isLast = last === null || (isTimestamp(last?.createdAt) && typeof last.reference === 'string');
  const isNext = next === null || (next !== undefined && isTextOrNull(next.to) && isTextOrNull(next.cursor));
  if (!isLast || !isNext) throw new ArgumentError('The saved position is damaged.');
  return { version, filters: checkFilters(filters), last, next };
}
