import { checkNames } from './known-names.ts';
import type { BatchTransaction, FieldFault } from './recording.ts';
import { isObject, isText } from './response.ts';
import { RECORDED_FIELDS } from './transaction.ts';

export interface Line {
  line: number;
  transaction: BatchTransaction;
  identity: string;
  text: string;
}

export function lineOf(transaction: BatchTransaction, line: number): Line {
  checkNames('field', transaction, ['account', ...RECORDED_FIELDS]);
  const { account, reference } = transaction;
  return {
    line,
    transaction,
    identity: JSON.stringify([account, reference]),
    text: `${JSON.stringify(transaction)}\n`,
  };
}

export function parseResult(text: string): { outcome: string; errors?: FieldFault[] } | undefined {
  try {
    const result: unknown = JSON.parse(text);
    if (isObject(result) && isText(result['outcome']) && areFaults(result['errors']))
      return result as { outcome: string };
  } catch {
    // The line is not JSON.
  }
  return undefined;
}

const areFaults = (errors: unknown): boolean =>
  errors === undefined ||
  (Array.isArray(errors) &&
    errors.every((one) => isObject(one) && [one['pointer'], one['code'], one['detail']].every(isText)));
