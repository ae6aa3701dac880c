import { CHANGES, faulty } from '../../../http/problems/problem-example.ts';
import { defineProblems } from '../../../http/problems/problem-kind.ts';
import { EXAMPLE_TRANSACTIONS } from '../../http/transaction-examples.ts';
import { sequenceAhead } from '../list-changes.ts';

/** The errors of a request for changes. */
export const CHANGE_PROBLEMS = defineProblems({
  invalid_sequence: {
    status: 400,
    title: 'The sequence number is not valid',
    cause: 'after is not a whole number from 0, written in digits without leading zeros.',
    solution: 'Send lastSequence of the page before, or 0 to begin with the first change of the account.',
    example: faulty(
      'after=tx_000012',
      'after',
      '"tx_000012" is not a sequence number. Send the lastSequence of the page before, or 0 for the first change.',
      {},
      CHANGES,
    ),
  },
  invalid_wait: {
    status: 400,
    title: 'The time to wait is not valid',
    cause: 'wait is not a whole number of seconds from 0 to 30.',
    solution:
      'Send at most wait=30. If the response has no changes, send the same request again: it misses nothing.',
    example: faulty(
      'after=3&wait=60',
      'wait',
      'wait can be at most 30 seconds. Send wait=30, and the same request again if there was no change.',
      {},
      CHANGES,
    ),
  },
  sequence_ahead: {
    status: 400,
    title: 'The sequence number is ahead of the account',
    cause:
      'after is larger than the number of the last change of the account. The service was probably restored from a backup, and has lost changes that you have.',
    solution:
      'Begin again with an empty copy and after=0. The change feed has every change of the account, from number 1. Do not continue from a smaller number: the copy can differ below it, too.',
    example: faulty(
      'after=20',
      'after',
      sequenceAhead(20, EXAMPLE_TRANSACTIONS.length).detail,
      { headSequence: EXAMPLE_TRANSACTIONS.length, given: 'The account has 13 changes.' },
      CHANGES,
    ),
  },
});
