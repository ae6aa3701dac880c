import { createHash } from 'node:crypto';
import {
  FILTER_PARAMETERS,
  isSameFilter,
  type ListFault,
  type ListFilter,
  TEXT_FILTERS,
  type TextFilter,
} from './list-filter.ts';

/** Replaces a text that is too long for a cursor. */
interface Digest {
  /** SHA-256 of the text in UTF-8, in unpadded base64url. */
  sha256: string;
}

/** A filter as a cursor contains it. */
export type CarriedFilter = Omit<ListFilter, TextFilter> & Record<TextFilter, string | Digest | null>;

/** The longest text as JSON in UTF-8. Together, the texts have the space in a cursor that remains with the longest other values. */
const MAX_CARRIED_BYTES = Math.floor(92 / TEXT_FILTERS.length);

export function carriedFilter(filter: ListFilter): CarriedFilter {
  const long = longFilters(filter);
  if (long.length === 0) return filter;
  return { ...filter, ...Object.fromEntries(long.map((name) => [name, digestOf(filter[name] as string)])) };
}

/** Whether a cursor contains the whole text of a filter. If not, a request must repeat it with the cursor. */
export function isCarriedWhole(text: string): boolean {
  return Buffer.byteLength(JSON.stringify(text)) <= MAX_CARRIED_BYTES;
}

/** The filters that a request must repeat with the cursor. */
export const longFilters = (filter: ListFilter): TextFilter[] =>
  TEXT_FILTERS.filter((name) => filter[name] !== null && !isCarriedWhole(filter[name]));

/** The filter of a cursor and of the parameters sent with it, or the filter whose long text is not sent, or is another. */
export function completeFilter(
  carried: CarriedFilter,
  sent: ListFilter,
): { filter: ListFilter } | { missing: TextFilter } {
  const filter: CarriedFilter = { ...carried };
  for (const name of TEXT_FILTERS) {
    const text = carried[name];
    if (text === null || typeof text === 'string') continue;
    if (sent[name] === null || !isSame(name, sent[name], text)) return { missing: name };
    filter[name] = sent[name];
  }
  return { filter: filter as ListFilter };
}

/** The faults of filters that are sent with a cursor and differ from the cursor's own. */
export function checkFilterWithCursor(sent: ListFilter, carried: CarriedFilter): ListFault[] {
  return FILTER_PARAMETERS.filter(
    (parameter) => sent[parameter] !== null && !isSame(parameter, sent[parameter], carried[parameter]),
  ).map((parameter) => ({
    parameter,
    code: 'cursor_filter_mismatch',
    detail:
      carried[parameter] === null
        ? `The cursor belongs to a list without ${parameter}. Omit ${parameter}, or omit the cursor to start a new list.`
        : `The cursor belongs to a list with another ${parameter}. Send the cursor alone, or omit it to start a new list.`,
  }));
}

function isSame(name: keyof ListFilter, sent: string, carried: string | Digest | null): boolean {
  if (carried === null || typeof carried === 'string') return isSameFilter(name, sent, carried);
  return digestOf(sent).sha256 === carried.sha256;
}

function digestOf(text: string): Digest {
  return { sha256: createHash('sha256').update(text).digest('base64url') };
}
