import { MAX_CHANGES } from '../ledger/changes/change-query.ts';
import { explainIdentifier, isIdentifier } from '../ledger/transaction.ts';
import type { FaultList } from '../values/fault-list.ts';
import type { ParameterFault } from '../values/parameter-fault.ts';
import { PARAMETER_FAULT_CODES, type ParameterRules, readParameters } from '../values/query-parameters.ts';
import { quote } from '../values/quote.ts';
import { isWholeNumber } from '../values/whole-number.ts';

export const MAX_ACCOUNTS = MAX_CHANGES;
export const DEFAULT_ACCOUNTS = 100;

export const ACCOUNT_FAULT_CODES = ['invalid_account', 'invalid_limit', ...PARAMETER_FAULT_CODES] as const;
export type AccountFault = ParameterFault<(typeof ACCOUNT_FAULT_CODES)[number]>;

/** What a request for accounts asks for. */
export interface AccountRequest {
  /** Accounts after this one; null from the first. */
  after: string | null;
  /** The most accounts. */
  limit: number;
}

const RULES: ParameterRules<keyof AccountRequest, AccountFault['code']> = {
  after: {
    isValid: isIdentifier,
    fault: (value) => ({
      code: 'invalid_account',
      detail: `after ${explainIdentifier(value)}. Send the last account of the page before, or omit after for the first page.`,
    }),
  },
  limit: {
    isValid: isWholeNumber(1, MAX_ACCOUNTS),
    fault: (value) => ({
      code: 'invalid_limit',
      detail: `${quote(value)} is not a number of accounts that a page can have. Send a whole number from 1 to ${MAX_ACCOUNTS}.`,
    }),
  },
};

/** Reads the parameters of a request for accounts. Adds each fault to `faults`. */
export function readAccountRequest(
  parameters: Readonly<Record<string, string | string[] | undefined>>,
  faults: FaultList<AccountFault>,
): AccountRequest {
  const { after, limit } = readParameters(parameters, RULES, () => undefined, faults);
  return { after: after ?? null, limit: Number(limit ?? DEFAULT_ACCOUNTS) };
}
