import { ArgumentError } from './errors.ts';
import type { ListFilters } from './transaction.ts';
import type { SavedWalk } from './walk.ts';

/** A surrogate on its own, which would be sent as another character. */
export const HALF_CHARACTER = /\p{Surrogate}/u;

const isTextOrNull = (value: unknown) => value === null || typeof value === 'string';
const isTimestamp = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/.test(value);

/**
 * Filters as they are sent. Names that the service does not have are sent along: it refuses them, where leaving
 * them out would list too much.
 *
 * Throws: ArgumentError where a value is not a text.
 */
export function checkFilters(filters: ListFilters): ListFilters {
  if (typeof filters !== 'object' || filters === null)
    throw new ArgumentError('The filters are not an object.');
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (typeof value !== 'string') {
      const hint = (value as unknown) instanceof Date ? ' utcDay makes one of a Date.' : '';
      throw new ArgumentError(`The filter ${name} is not a string.${hint}`);
    }
    if (HALF_CHARACTER.test(value)) throw new ArgumentError(`The filter ${name} holds half of a character.`);
    if (name === 'cursor')
      throw new ArgumentError('A walk keeps its own cursors: resume takes what toJSON gave.');
  }
  return Object.fromEntries(given);
}

/**
 * A saved walk, which may have come from anywhere.
 *
 * Throws: ArgumentError
 */
export function checkSavedWalk(saved: SavedWalk): SavedWalk {
  const { version, filters, last, next } = saved ?? {};
  if (version !== 1) throw new ArgumentError('The saved walk is none of this version of the client.');
  const isLast = last === null || (isTimestamp(last?.createdAt) && typeof last.reference === 'string');
  const isNext = next === null || (next !== undefined && isTextOrNull(next.to) && isTextOrNull(next.cursor));
  if (!isLast || !isNext) throw new ArgumentError('The saved walk is damaged.');
  return { version, filters: checkFilters(filters), last, next };
}
