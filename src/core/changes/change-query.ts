import { type FaultList, MAX_SUGGESTIONS } from '../fault-list.ts';
import { nearest } from '../nearest.ts';
import type { ParameterFault } from '../parameter-fault.ts';
import { quote } from '../quote.ts';

export const CHANGE_PARAMETERS = ['after', 'limit', 'wait'] as const;
type ChangeParameter = (typeof CHANGE_PARAMETERS)[number];

/** The most changes of a page. */
export const MAX_CHANGES = 1000;
export const DEFAULT_CHANGES = 100;
export const MAX_WAIT_SECONDS = 30;

export const CHANGE_FAULT_CODES = [
  'invalid_sequence',
  'invalid_limit',
  'invalid_wait',
  'sequence_ahead',
  'unknown_parameter',
  'duplicate_parameter',
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

const WHOLE_NUMBER = /^(0|[1-9]\d*)$/;

const POSITION_NAMES =
  /^(cursor|page|offset|skip|from|since|start\w*|last|(last[_-]?)?sequence|after[_-]?\w+)$/i;
const FILTER_NAMES = /^(status|currency|to|before|merchant[_-]?reference|reference|account|types?|filter)$/i;

interface ParameterRule {
  min: number;
  max: number;
  /** The fault of a value that is not a whole number from `min` to `max`. */
  fault: (value: string) => Omit<ChangeFault, 'parameter'>;
}

const RULES: Readonly<Record<ChangeParameter, ParameterRule>> = {
  after: {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    fault: (value) => ({ code: 'invalid_sequence', detail: explainSequence(value) }),
  },
  limit: {
    min: 1,
    max: MAX_CHANGES,
    fault: (value) => ({ code: 'invalid_limit', detail: explainLimit(value) }),
  },
  wait: {
    min: 0,
    max: MAX_WAIT_SECONDS,
    fault: (value) => ({ code: 'invalid_wait', detail: explainWait(value) }),
  },
};

/** Reads the parameters of a request for changes. Adds each fault to `faults`. */
export function readChangeRequest(
  parameters: Readonly<Record<string, string | string[] | undefined>>,
  faults: FaultList<ChangeFault>,
): ChangeRequest {
  const values = { after: 0, limit: DEFAULT_CHANGES, wait: 0 };
  for (const name in parameters) {
    const value = parameters[name] as string | string[];
    if (!isChangeParameter(name)) {
      const detail = explainUnknown(name, faults.count < MAX_SUGGESTIONS);
      faults.add({ parameter: name, code: 'unknown_parameter', detail });
    } else if (typeof value !== 'string') {
      const detail = `${name} is sent more than once. Send it once.`;
      faults.add({ parameter: name, code: 'duplicate_parameter', detail });
    } else {
      const { min, max, fault } = RULES[name];
      const number = WHOLE_NUMBER.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) values[name] = number;
      else faults.add({ parameter: name, ...fault(value) });
    }
  }
  const { after, limit, wait } = values;
  return { after, limit, waitMs: wait * 1000 };
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

function isChangeParameter(name: string): name is ChangeParameter {
  return Object.hasOwn(RULES, name);
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

function explainUnknown(name: string, isNearestSearched: boolean): string {
  if (POSITION_NAMES.test(name))
    return `A position in the change feed is a sequence number: omit ${name}, and send lastSequence as after.`;
  if (FILTER_NAMES.test(name))
    return `The change feed has no filters: omit ${name}, and choose from all changes of the account.`;
  const meant = isNearestSearched ? nearest(name, CHANGE_PARAMETERS) : undefined;
  const known = `The parameters are ${CHANGE_PARAMETERS.join(', ')}.`;
  return `${quote(name)} is not a parameter${meant ? `: did you mean ${meant}?` : '.'} ${known}`;
}
