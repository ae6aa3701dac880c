import { explainAmount, parseAmount } from '../../../../values/amount.ts';
import { CURSOR_FORM, hasCursorForm } from '../../../../values/cursor-form.ts';
import { minSearchedCharacters } from '../../../../values/folded-text.ts';
import type { ErrorCode } from '../../../../values/interface/errors.ts';
import { TEXT_MAX_CHARACTERS, TEXT_MIN_CHARACTERS } from '../../../../values/interface/limits.ts';
import type { ParameterFault } from '../../../../values/parameter-fault.ts';
import { quote } from '../../../../values/quote.ts';
import type { StatusNames } from '../../../../values/status.ts';
import { readWrittenAmount } from '../../../../values/written-amount.ts';
import type { QueryParameter } from '../../../http/operations/parameters.ts';
import { Type } from '../../../http/schemas/type.ts';
import { filterParameters, paidParameters } from '../../http/filter-parameters.ts';
import { isMerchantReference } from '../../transaction.ts';

export type SearchFault = ParameterFault<ErrorCode>;

export const SEARCH_TERMS = ['amount', 'amountFrom', 'amountTo', 'text', 'paidFrom', 'paidTo'] as const;

export const MALFORMED_SEARCH_CURSOR = {
  code: 'cursor_malformed',
  detail:
    'The cursor was not issued by this service for a search of this account, or was altered. Send nextCursor unchanged, or omit cursor to search from the newest transaction.',
} as const;

const amountParameter = (name: string, description: string): QueryParameter<string> => ({
  schema: Type.String({ description }),
  isValid: (value) => parseAmount(value) !== undefined,
  code: 'invalid_amount',
  furtherCodes: ['amount_range_inverted'],
  explain: (value) => `${name} ${explain(value)}.`,
});

function explain(value: string): string {
  const isWrittenByProgram = /^-?\d+\.\d+$/.test(value);
  const meant = isWrittenByProgram ? [] : readWrittenAmount(value);
  if (/^\s*[<>]|\d\s*(-|\.\.|to)\s*\d/i.test(value))
    return `${quote(value)} is a range; send its ends as amountFrom and amountTo`;
  return meant.length === 0
    ? explainAmount(value)
    : `${quote(value)} is not an amount of the interface; send ${meant.join(' or ')}`;
}

const length = (text: string) => Array.from(text).length;

const hasLength = (text: string) =>
  length(text) >= minSearchedCharacters(text) && length(text) <= TEXT_MAX_CHARACTERS;

function explainText(text: string): string {
  const right = `Send ${minSearchedCharacters(text)} to ${TEXT_MAX_CHARACTERS} characters of a reference or a detail.`;
  const characters = length(text);
  if (hasLength(text)) return `text has a character that no reference can contain. ${right}`;
  return `text has ${characters} character${characters === 1 ? '' : 's'}. ${right}`;
}

export function searchParameters(statuses: StatusNames) {
  return {
    ...filterParameters(statuses),
    amount: amountParameter('amount', 'The exact amount, for example 49.90. Refunds have negative amounts.'),
    amountFrom: amountParameter('amountFrom', 'The smallest amount, inclusive.'),
    amountTo: amountParameter('amountTo', 'The largest amount, inclusive.'),
    text: {
      schema: Type.String({
        minLength: TEXT_MIN_CHARACTERS,
        maxLength: TEXT_MAX_CHARACTERS,
        description:
          'One phrase: a part of the reference, the merchantReference or one value of details, in upper or lower case, with or without accents. At least 3 characters, or 2 of Chinese, Japanese or Korean.',
        examples: ['1042'],
      }),
      isValid: (value: string) => hasLength(value) && isMerchantReference(value),
      code: 'invalid_text',
      explain: explainText,
    },
    ...paidParameters,
    cursor: {
      schema: Type.String({
        pattern: CURSOR_FORM,
        description:
          'nextCursor of an earlier response. It contains the other parameters. If they are too long for a cursor, send them again with it.',
      }),
      isValid: (value: string) => hasCursorForm(value),
      code: MALFORMED_SEARCH_CURSOR.code,
      furtherCodes: ['cursor_filter_mismatch', 'cursor_expired'],
      explain: () => MALFORMED_SEARCH_CURSOR.detail,
    },
  } as const satisfies Record<string, QueryParameter>;
}

export type SentParameters = Partial<
  Record<Exclude<keyof ReturnType<typeof searchParameters>, 'cursor'>, string>
>;
