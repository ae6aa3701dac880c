import { defineProblems } from '../../../http/problems/problem-kind.ts';
import { LIST_PROBLEMS } from '../../list/http/list-problems.ts';

/** The errors of a search alone. */
const SEARCH_PROBLEMS = defineProblems({
  invalid_amount: {
    status: 400,
    title: 'The amount is not valid',
    cause: 'amount, amountFrom or amountTo is not a decimal number with at most two decimals.',
    solution: 'Send the amount with a point and two decimals, for example 49.90.',
  },
  amount_range_inverted: {
    status: 400,
    title: 'The range of amounts is inverted',
    cause: 'amountFrom is greater than amountTo.',
    solution:
      'Send the smaller amount as amountFrom. Of two negative amounts, that is the one with more digits: -20.00 is less than -10.00.',
  },
  invalid_text: {
    status: 400,
    title: 'The text is not valid',
    cause:
      'text has fewer than 3 characters (2 of Chinese, Japanese or Korean) or more than 64, or a character that no reference can contain.',
    solution:
      'Send at least 3, and at most 64, characters of the reference, the merchantReference or a value of details.',
  },
  missing_search_term: {
    status: 400,
    title: 'The search has no term',
    cause: 'The request has none of the parameters that a list does not have.',
    solution:
      'Send at least one of amount, amountFrom, amountTo, text, paidFrom and paidTo. Without one of them, request the list.',
  },
});

const { date_range_too_long: _, ...OF_LIST } = LIST_PROBLEMS;

/** The kinds of faults of a search. A range of days can have any length. */
export const SEARCH_KINDS = { ...OF_LIST, ...SEARCH_PROBLEMS };
