import type { PathParameter } from '../../http/operations/path-parameter.ts';
import { Type } from '../../http/schemas/type.ts';
import { explainIdentifier, isIdentifier } from '../transaction.ts';
import { COMPLETED_EXAMPLE } from './transaction-examples.ts';

/** The reference of a transaction in a path. */
export const REFERENCE: PathParameter = {
  schema: Type.String({
    description: 'Unique in the account. Compared exactly, upper and lower case included.',
    examples: [COMPLETED_EXAMPLE.reference],
  }),
  isValid: isIdentifier,
  explain: explainIdentifier,
  absent:
    'No transaction of this account has this reference. A number of your own is a merchantReference: request /v1/transactions?merchantReference= with it.',
  logName: 'reference',
};
