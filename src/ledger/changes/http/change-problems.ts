import { defineProblems } from '../../../http/problems/problem-kind.ts';

/** The errors of a request for changes. */
export const CHANGE_PROBLEMS = defineProblems({
  invalid_sequence: {
    status: 400,
    title: 'The sequence number is not valid',
    cause: 'after is not a whole number from 0, written in digits without leading zeros.',
    solution: 'Send lastSequence of the page before, or 0 to begin with the first change of the account.',
  },
  invalid_change_id: {
    status: 400,
    title: 'The id of the change is not valid',
    cause:
      'afterId is not the id of a change, such as chg_Zt7vJ2mXq0YtR5cQe1WbKd, or after is 0: there is no change 0.',
    solution:
      'Send lastId of the page before, or the id that your copy has for the change at after. Leave afterId out if after is 0.',
  },
  invalid_wait: {
    status: 400,
    title: 'The time to wait is not valid',
    cause: 'wait is not a whole number of seconds from 0 to 30.',
    solution:
      'Send at most wait=30. If the response has no changes, send the same request again: it misses nothing.',
  },
  history_changed: {
    status: 409,
    title: 'The history of the account has changed',
    cause:
      'The change at after has another id than afterId, or does not exist. The service was restored from a backup: it has lost changes that you have, and can have given their numbers to others.',
    solution:
      'Find the last change that both have: the largest number at which your copy and the service have the same id, by bisection. Take back the changes above it in your copy: remove each transaction that was new, and set each other one to its previousStatus. Continue from there, without afterId if it is 0. If your copy has no ids, begin again with an empty copy and after=0.',
  },
  changes_archived: {
    status: 410,
    title: 'The changes are archived',
    cause:
      'after is below floorSequence: the operator has archived old transactions of the account, and with them changes up to this number. The list, totals and exports have what is left.',
    solution:
      'Begin again with an empty copy: take an export, and follow from its Export-As-Of as after, with its Export-As-Of-Id as afterId. The archived transactions are in the files of the operator.',
  },
  sequence_ahead: {
    status: 400,
    title: 'The sequence number is ahead of the account',
    cause:
      'after is larger than the number of the last change of the account. The service was probably restored from a backup, and has lost changes that you have.',
    solution:
      'If your copy has the ids of changes, send afterId too, and repair the copy as the response says. If not, begin again with an empty copy and after=0. Do not continue from a smaller number alone: the copy can differ below it, too.',
  },
  too_many_waiting: {
    status: 429,
    title: 'Too many requests wait for changes',
    cause: 'The account already has 1,000 requests that wait for changes in this instance of the service.',
    solution:
      'One reader needs one such request at a time. Send the request without wait, or wait for the number of seconds in Retry-After.',
  },
});
