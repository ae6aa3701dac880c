import { createHash } from 'node:crypto';
import { FILTER_PARAMETERS, type ListFault, type ListFilter } from './list-filter.ts';

/** Replaces a merchantReference that is too long for a cursor. */
interface Digest {
  /** SHA-256 of the text in UTF-8, in unpadded base64url. */
  sha256: string;
}

/** A filter as a cursor contains it. */
export type CarriedFilter = Omit<ListFilter, 'merchantReference'> & {
  merchantReference: string | Digest | null;
};

/** As JSON in UTF-8: the space in a cursor that remains with the longest other values. */
const MAX_CARRIED_BYTES = 128;

export function carriedFilter(filter: ListFilter): CarriedFilter {
  const { merchantReference } = filter;
  if (merchantReference === null || isCarriedWhole(merchantReference)) return filter;
  return { ...filter, merchantReference: digestOf(merchantReference) };
}

/** Whether a cursor contains the whole merchantReference. If not, a request must repeat it with the cursor. */
export function isCarriedWhole(merchantReference: string): boolean {
  return Buffer.byteLength(JSON.stringify(merchantReference)) <= MAX_CARRIED_BYTES;
}

/** The filter of a cursor and of the parameters sent with it, or undefined if a long merchantReference is not sent, or another. */
export function completeFilter(carried: CarriedFilter, sent: ListFilter): ListFilter | undefined {
  const { merchantReference } = carried;
  if (merchantReference === null || typeof merchantReference === 'string') {
    return { ...carried, merchantReference };
  }
  if (sent.merchantReference === null || !isSame(sent.merchantReference, merchantReference)) return undefined;
  return { ...carried, merchantReference: sent.merchantReference };
}

/** The faults of filters that are sent with a cursor and differ from the cursor's own. */
export function checkFilterWithCursor(sent: ListFilter, carried: CarriedFilter): ListFault[] {
  return FILTER_PARAMETERS.filter(
    (parameter) => sent[parameter] !== null && !isSame(sent[parameter], carried[parameter]),
  ).map((parameter) => ({
    parameter,
    code: 'cursor_filter_mismatch',
    detail:
      carried[parameter] === null
        ? `The cursor belongs to a list without ${parameter}. Omit ${parameter}, or omit the cursor to start a new list.`
        : `The cursor belongs to a list with another ${parameter}. Send the cursor alone, or omit it to start a new list.`,
  }));
}

function isSame(sent: string | null, carried: string | Digest | null): boolean {
  if (sent === null || carried === null || typeof carried === 'string') return sent === carried;
  return digestOf(sent).sha256 === carried.sha256;
}

function digestOf(merchantReference: string): Digest {
  return { sha256: createHash('sha256').update(merchantReference).digest('base64url') };
}
