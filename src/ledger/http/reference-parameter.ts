import { EXAMPLES } from '../../http/examples.ts';
import type { PathParameter } from '../../http/operations/parameters.ts';
import { Type } from '../../http/schemas/type.ts';
import { explainIdentifier, isIdentifier } from '../transaction.ts';

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^(search|find|query)$/i, 'To search, request /v1/search, for example /v1/search?text=order-1042.'],
  [
    /^(exports?|downloads?|csv)$/i,
    'All transactions as a file are at /v1/transactions.csv and /v1/transactions.ndjson.',
  ],
  [/^(totals?|count|sum|summary|stats)$/i, 'Counts and sums are at /v1/totals.'],
  [/\.json$/i, 'Responses are JSON: leave the ending "json" out of the path.'],
  [/,/, 'A path has one reference: send a request for each.'],
  [/^\s|\s$/, 'The reference has a space before or after it: leave the space out.'],
  [/^(list|all|latest|recent)$/i, 'The list is /v1/transactions, newest first.'],
  [
    /^(undefined|null|nan|none|:\w+|\{.*\}|\$.*|\[object.*)$/i,
    'The path has the name of a variable in place of a reference. Send the reference itself.',
  ],
];

export const REFERENCE: PathParameter = {
  schema: Type.String({
    description: 'Unique in the account. Compared exactly, upper and lower case included.',
    examples: [EXAMPLES.transaction.completed.value.reference],
  }),
  isValid: isIdentifier,
  explain: explainIdentifier,
  absent:
    'No transaction of this account has this reference. A number of your own is a merchantReference: request /v1/transactions?merchantReference= with it.',
  mistaken: (value) => ADVICE.find(([form]) => form.test(value))?.[1],
  logName: 'reference',
};
