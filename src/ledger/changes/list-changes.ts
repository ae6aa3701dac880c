import type { ParameterFault } from '../../values/parameter-fault.ts';
import type { ChangeQuery, ChangeReader, ChangeResult } from './change.ts';

/** The caller has seen changes that the account does not have. */
export class SequenceAhead extends Error {
  override readonly name = 'SequenceAhead';
  readonly fault: ParameterFault<'sequence_ahead'>;
  readonly headSequence: number;

  constructor(after: number, headSequence: number) {
    const fault = sequenceAhead(after, headSequence);
    super(fault.detail);
    this.fault = fault;
    this.headSequence = headSequence;
  }
}

/** The fault of a sequence number beyond the head sequence of its account. */
export function sequenceAhead(after: number, headSequence: number): ParameterFault<'sequence_ahead'> {
  return {
    parameter: 'after',
    code: 'sequence_ahead',
    detail:
      `after is ${after}, but the last change of this account has the number ${headSequence}. The service was probably ` +
      'restored from a backup, so your copy can have changes that the service has lost. Begin again with an empty copy and ' +
      'after=0: the change feed has every change of the account, from number 1.',
  };
}

/**
 * The first changes after a sequence number.
 *
 * Throws: SequenceAhead if it is beyond the head sequence; an Error if the store returned too few or too many changes, or not those that
 * follow without a gap. Consumers rely on complete pages, so no such page becomes a response.
 */
export async function listChanges(
  reader: Pick<ChangeReader, 'listChanges'>,
  query: ChangeQuery,
): Promise<ChangeResult> {
  const { after, limit } = query;
  const result = await reader.listChanges(query);
  const { changes, headSequence } = result;
  const expected = Math.max(0, Math.min(limit, headSequence - after));
  const wrong = changes.find(({ sequence }, index) => sequence !== after + 1 + index);
  if (changes.length !== expected || wrong !== undefined) {
    const found = wrong === undefined ? '' : `, and ${wrong.sequence} is not in its place`;
    throw new Error(
      `the changes after ${after} are not complete: the head sequence is ${headSequence}, and of ${expected} changes the store returned ${changes.length}${found}`,
    );
  }
  if (headSequence < after) throw new SequenceAhead(after, headSequence);
  return result;
}
