import { MAX_CHANGES } from '../ledger/changes/change-query.ts';
import type { FaultList } from '../values/fault-list.ts';
import type { ParameterFault } from '../values/parameter-fault.ts';
import { PARAMETER_FAULT_CODES, type ParameterRules, readParameters } from '../values/query-parameters.ts';
import { quote } from '../values/quote.ts';
import { isSequenceText, isWholeNumber } from '../values/whole-number.ts';

export const MAX_LISTED_FAILURES = MAX_CHANGES;
export const DEFAULT_FAILURES = 100;

export const FAILURE_FAULT_CODES = ['invalid_sequence', 'invalid_limit', ...PARAMETER_FAULT_CODES] as const;
export type FailureFault = ParameterFault<(typeof FAILURE_FAULT_CODES)[number]>;

/** What a request for the failures of an endpoint asks for. */
export interface FailureRequest {
  /** Failures with larger sequence numbers. */
  after: number;
  /** The most failures. */
  limit: number;
}

const RULES: ParameterRules<keyof FailureRequest, FailureFault['code']> = {
  after: {
    isValid: isSequenceText,
    fault: (value) => ({
      code: 'invalid_sequence',
      detail: `${quote(value)} is not a sequence number. Send the sequence of the last failure of the page before, or 0 for the first failure.`,
    }),
  },
  limit: {
    isValid: isWholeNumber(1, MAX_LISTED_FAILURES),
    fault: (value) => ({
      code: 'invalid_limit',
      detail: `${quote(value)} is not a number of failures that a page can have. Send a whole number from 1 to ${MAX_LISTED_FAILURES}.`,
    }),
  },
};

/** Reads the parameters of a request for failures. Adds each fault to `faults`. */
export function readFailureRequest(
  parameters: Readonly<Record<string, string | string[] | undefined>>,
  faults: FaultList<FailureFault>,
): FailureRequest {
  const { after, limit } = readParameters(parameters, RULES, () => undefined, faults);
  return { after: Number(after ?? 0), limit: Number(limit ?? DEFAULT_FAILURES) };
}
