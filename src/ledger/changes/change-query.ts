import type { FaultList } from '../../values/fault-list.ts';
import type { ParameterFault } from '../../values/parameter-fault.ts';
import { PARAMETER_FAULT_CODES, type ParameterRules, readParameters } from '../../values/query-parameters.ts';
import { quote } from '../../values/quote.ts';
import { isSequenceText, isWholeNumber, WHOLE_NUMBER } from '../../values/whole-number.ts';

type ChangeParameter = 'after' | 'limit' | 'wait';

/** The most changes of a page. */
export const MAX_CHANGES = 1000;
export const DEFAULT_CHANGES = 100;
export const MAX_WAIT_SECONDS = 30;

export const CHANGE_FAULT_CODES = [
  'invalid_sequence',
  'invalid_limit',
  'invalid_wait',
  'sequence_ahead',
  ...PARAMETER_FAULT_CODES,
] as const;
export type ChangeFault = ParameterFault<(typeof CHANGE_FAULT_CODES)[number]>;

/** What a request for changes asks for. */
export interface ChangeRequest {
  /** Changes with larger sequence numbers. */
  after: number;
  /** The most changes. */
  limit: number;
  /** How long to wait for a change, if there is none. */
  waitMs: number;
}

const POSITION_NAMES =
  /^(cursor|page|offset|skip|from|since|start\w*|last|(last[_-]?)?sequence|after[_-]?\w+)$/i;
const FILTER_NAMES = /^(status|currency|to|before|merchant[_-]?reference|reference|account|types?|filter)$/i;

const RULES: ParameterRules<ChangeParameter, ChangeFault['code']> = {
  after: {
    isValid: isSequenceText,
    fault: (value) => ({ code: 'invalid_sequence', detail: explainSequence(value) }),
  },
  limit: {
    isValid: isWholeNumber(1, MAX_CHANGES),
    fault: (value) => ({ code: 'invalid_limit', detail: explainLimit(value) }),
  },
  wait: {
    isValid: isWholeNumber(0, MAX_WAIT_SECONDS),
    fault: (value) => ({ code: 'invalid_wait', detail: explainWait(value) }),
  },
};

/** Reads the parameters of a request for changes. Adds each fault to `faults`. */
export function readChangeRequest(
  parameters: Readonly<Record<string, string | string[] | undefined>>,
  faults: FaultList<ChangeFault>,
): ChangeRequest {
  const { after, limit, wait } = readParameters(parameters, RULES, explainName, faults);
  return {
    after: Number(after ?? 0),
    limit: Number(limit ?? DEFAULT_CHANGES),
    waitMs: Number(wait ?? 0) * 1000,
  };
}

/** The fault of a sequence number beyond the head sequence of its account. */
export function sequenceAhead(after: number, headSequence: number): ChangeFault {
  return {
    parameter: 'after',
    code: 'sequence_ahead',
    detail:
      `after is ${after}, but the last change of this account has the number ${headSequence}. The service was probably ` +
      'restored from a backup, so your copy can have changes that the service has lost. Begin again with an empty copy and ' +
      'after=0: the change feed has every change of the account, from number 1.',
  };
}

function explainSequence(value: string): string {
  const right = 'Send the lastSequence of the page before, or 0 for the first change.';
  if (WHOLE_NUMBER.test(value)) return `${quote(value)} is larger than any sequence number. ${right}`;
  if (/^\d+$/.test(value))
    return `${quote(value)} begins with 0. Write the number without leading zeros. ${right}`;
  return `${quote(value)} is not a sequence number. ${right}`;
}

function explainLimit(value: string): string {
  if (!WHOLE_NUMBER.test(value))
    return `${quote(value)} is not a number of changes. Send a whole number from 1 to ${MAX_CHANGES}.`;
  if (value === '0') return `limit must be at least 1. Send a whole number from 1 to ${MAX_CHANGES}.`;
  return `limit can be at most ${MAX_CHANGES}. Send limit=${MAX_CHANGES}, and lastSequence as after for more.`;
}

function explainWait(value: string): string {
  if (!WHOLE_NUMBER.test(value))
    return `${quote(value)} is not a number of seconds. Send a whole number from 0 to ${MAX_WAIT_SECONDS}.`;
  return `wait can be at most ${MAX_WAIT_SECONDS} seconds. Send wait=${MAX_WAIT_SECONDS}, and the same request again if there was no change.`;
}

/** What to do instead of sending a position of another kind, or a filter. */
function explainName(name: string): string | undefined {
  if (POSITION_NAMES.test(name))
    return `A position in the change feed is a sequence number: omit ${name}, and send lastSequence as after.`;
  if (FILTER_NAMES.test(name))
    return `The change feed has no filters: omit ${name}, and choose from all changes of the account.`;
  return undefined;
}
