import type { PathParameter } from '../../http/operations/parameters.ts';
import { Type } from '../../http/schemas/type.ts';
import { explainIdentifier, isIdentifier } from '../transaction.ts';

export const ACCOUNT: PathParameter = {
  schema: Type.String({
    description: '1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-", but not "." or "..".',
    examples: ['store-1'],
  }),
  isValid: isIdentifier,
  explain: explainIdentifier,
  absent: 'No account has this name. A name is 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-".',
  logName: 'account',
};
