import { createHash } from 'node:crypto';
import { FILTER_PARAMETERS, isSameFilter, type ListFault, type ListFilter } from './list-filter.ts';

/** Replaces a text that is too long for a cursor. */
interface Digest {
  /** SHA-256 of the text in UTF-8, in unpadded base64url. */
  sha256: string;
}

/** A filter as a cursor contains it. */
export type CarriedFilter = Omit<ListFilter, 'merchantReference'> & {
  merchantReference: string | Digest | null;
};

/** The longest merchantReference as JSON in UTF-8: the space in a cursor that remains with the longest other values. */
const MAX_CARRIED_BYTES = 92;

export function carriedFilter(filter: ListFilter): CarriedFilter {
  const long = uncarriedReference(filter);
  return long === null ? filter : { ...filter, merchantReference: digestOf(long) };
}

/** The merchantReference of a filter that a cursor does not contain whole: a request must repeat it with the cursor. Otherwise null. */
export const uncarriedReference = ({ merchantReference: text }: ListFilter): string | null =>
  text === null || Buffer.byteLength(JSON.stringify(text)) <= MAX_CARRIED_BYTES ? null : text;

/** The filter of a cursor and of the parameters sent with it; undefined if its long merchantReference is not sent, or is another. */
export function completeFilter(carried: CarriedFilter, sent: ListFilter): ListFilter | undefined {
  const { merchantReference: text } = carried;
  if (text === null || typeof text === 'string') return { ...carried, merchantReference: text };
  const { merchantReference } = sent;
  return merchantReference !== null && isSame('merchantReference', merchantReference, text)
    ? { ...carried, merchantReference }
    : undefined;
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
