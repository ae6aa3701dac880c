import { createHash } from 'node:crypto';
import { FILTER_PARAMETERS, type ListFault, type ListFilter } from './list-filter.ts';

/** Stands for a merchantReference that is too long for a cursor. */
export interface Digest {
  /** Of the text in UTF-8, in unpadded base64url. */
  sha256: string;
}

/** A filter as a cursor carries it. */
export type CarriedFilter = Omit<ListFilter, 'merchantReference'> & {
  merchantReference: string | Digest | null;
};

/** Written as JSON in UTF-8: what the longest of everything else leaves of a cursor's characters. */
const MAX_CARRIED_BYTES = 128;

export function carriedFilter(filter: ListFilter): CarriedFilter {
  const { merchantReference } = filter;
  if (merchantReference === null || isCarriedWhole(merchantReference)) return filter;
  return { ...filter, merchantReference: digestOf(merchantReference) };
}

/** Whether a cursor alone is enough, or the merchantReference has to stand beside it. */
export function isCarriedWhole(merchantReference: string): boolean {
  return Buffer.byteLength(JSON.stringify(merchantReference)) <= MAX_CARRIED_BYTES;
}

/** The filter that a cursor and what stands beside it mean together, or undefined where a long merchantReference does not. */
export function completeFilter(carried: CarriedFilter, beside: ListFilter): ListFilter | undefined {
  const { merchantReference } = carried;
  if (merchantReference === null || typeof merchantReference === 'string') {
    return { ...carried, merchantReference };
  }
  if (beside.merchantReference === null) return undefined;
  return { ...carried, merchantReference: beside.merchantReference };
}

/** The faults of filters that stand beside a cursor and are not those that it carries. */
export function checkFilterBesideCursor(beside: ListFilter, carried: CarriedFilter): ListFault[] {
  return FILTER_PARAMETERS.filter(
    (parameter) => beside[parameter] !== null && !isSame(beside[parameter], carried[parameter]),
  ).map((parameter) => ({
    parameter,
    code: 'cursor_filter_mismatch',
    detail:
      carried[parameter] === null
        ? `The cursor belongs to a list without ${parameter}. Leave it out, or leave the cursor out to begin a new list.`
        : `The cursor belongs to a list with another ${parameter}. Send the cursor alone, or leave it out to begin a new list.`,
  }));
}

function isSame(beside: string | null, carried: string | Digest | null): boolean {
  if (beside === null || carried === null || typeof carried === 'string') return beside === carried;
  return digestOf(beside).sha256 === carried.sha256;
}

function digestOf(merchantReference: string): Digest {
  return { sha256: createHash('sha256').update(merchantReference).digest('base64url') };
}
