import { faulty, SEARCH } from '../../../http/problems/problem-example.ts';
import { defineProblems } from '../../../http/problems/problem-kind.ts';
import { LIST_PROBLEMS } from '../../list/http/list-problems.ts';

/** The errors of a search alone. */
const SEARCH_PROBLEMS = defineProblems({
  invalid_amount: {
    status: 400,
    title: 'The amount is not valid',
    cause: 'amount, amountFrom or amountTo is not a decimal number with at most two decimals.',
    solution: 'Send the amount with a point and two decimals, for example 49.90.',
    example: faulty(
      'amount=49,90',
      'amount',
      'amount "49,90" is not an amount of the interface; send 49.90.',
      {},
      SEARCH,
    ),
  },
  amount_range_inverted: {
    status: 400,
    title: 'The range of amounts is inverted',
    cause: 'amountFrom is greater than amountTo.',
    solution:
      'Send the smaller amount as amountFrom. Of two negative amounts, that is the one with more digits: -20.00 is less than -10.00.',
    example: faulty(
      'amountFrom=20.00&amountTo=10.00',
      'amountFrom',
      'amountFrom (20.00) is greater than amountTo (10.00). Send the smaller amount as amountFrom.',
      {},
      SEARCH,
    ),
  },
  invalid_text: {
    status: 400,
    title: 'The text is not valid',
    cause:
      'text has fewer than 3 characters (2 of Chinese, Japanese or Korean) or more than 64, or a character that no reference can contain.',
    solution:
      'Send at least 3, and at most 64, characters of the reference, the merchantReference or a value of details.',
    example: faulty(
      'text=ab',
      'text',
      'text has 2 characters. Send 3 to 64 characters of a reference or a detail.',
      {},
      SEARCH,
    ),
  },
  missing_search_term: {
    status: 400,
    title: 'The search has no term',
    cause: 'The request has none of the parameters that a list does not have.',
    solution:
      'Send at least one of amount, amountFrom, amountTo, text, paidFrom and paidTo. Without one of them, request the list.',
    example: faulty(
      'status=completed',
      'text',
      'A search needs at least one of amount, amountFrom, amountTo, text, paidFrom, paidTo. To list transactions without one, request /v1/transactions.',
      {},
      SEARCH,
    ),
  },
});

const { date_range_too_long: _, ...OF_LIST } = LIST_PROBLEMS;

/** The kinds of faults of a search. A range of days can have any length. */
export const SEARCH_KINDS = { ...OF_LIST, ...SEARCH_PROBLEMS };
