/** A fault that tests of this project found in it. */
interface FoundFault {
  fault: string;
  foundBy: string;
  /** The commit of the correction, and its day. */
  corrected: string;
  /** The name of the planted fault that is alike, if it could be planted. */
  planted: string | null;
}

/** Newest first. `npm run plant -- PLANTED` shows how the test fails that finds such a fault now. */
export const FOUND: readonly FoundFault[] = [
  {
    fault:
      'A repetition of a pending transaction that became final meanwhile was answered with the outcome unchanged and with the final transaction',
    foundBy: 'the judge, on PostgreSQL with three instances, in its second round',
    corrected: '2026-11-27',
    planted: 'a repetition has the change of a later payment',
  },
  {
    fault:
      'The first import into a restored backup on SQLite, and the first copy of it, failed: its new log was taken for a moved file',
    foundBy: 'a check of the specification from outside',
    corrected: '2026-11-26, 03e66456',
    planted: null,
  },
  {
    fault: 'A filter in the body of a GET was ignored, and the whole list was returned',
    foundBy: 'a check of the specification from outside',
    corrected: '2026-11-26, 0a246fe2',
    planted: null,
  },
  {
    fault:
      'A service that still ran on the source of a copy acknowledged recordings after the copy had ended, which the target did not have',
    foundBy: 'a check of the specification from outside',
    corrected: '2026-11-26, 5f1b3fee: found if it delivers webhooks; the command says to stop all others',
    planted: null,
  },
  {
    fault:
      'On a screen with days of Berlin, the counts of the totals and of what is long pending led to lists of UTC days, with other transactions',
    foundBy: 'a trial of the page with the tasks of finance',
    corrected: '2026-11-26',
    planted: null,
  },
  {
    fault:
      'An import into PostgreSQL ended early with a full queue of the database if a batch had transactions of more than 1,000 accounts',
    foundBy: 'the measurement of the first stored totals of 30,000 accounts',
    corrected: '2026-11-26',
    planted: null,
  },
  {
    fault:
      'The revocation and the roll of a key on SQLite read all keys, in the thread that records: 53 ms with 200,000 keys',
    foundBy: 'the tests of every command with 100,000 of each thing in a heap of 128 MB',
    corrected: '2026-11-26',
    planted: null,
  },
  {
    fault:
      '`audit repeat` ended with an overflow of the stack if a file had 200,000 entries, and repeated nothing after a restore',
    foundBy: 'the tests of every command with 100,000 of each thing in a heap of 128 MB',
    corrected: '2026-11-26',
    planted: null,
  },
  {
    fault:
      'After 128 recordings that waited for the head of an account one after the other, all that waited for it were refused, although the database answered: each had started its own repetition, and none ended',
    foundBy: 'the tests of recorders of one account, beside a load of 40',
    corrected: '2026-11-25',
    planted: 'each recording that waits for a head starts its own repetition',
  },
  {
    fault:
      'After one slow look-up of a key, more than 128 requests of one caller at a time were refused, although the database answered again',
    foundBy: 'the tests of held rows on a busy machine, in 1 of 8 runs',
    corrected: '2026-11-23, 6f4e7c3',
    planted: 'each look-up waits alone among the slow statements',
  },
  {
    fault:
      'A recording into an account that is being erased got 500 on Citus, whose workers report a broken constraint without its name',
    foundBy: 'the contract of erasing, run on a Citus cluster',
    corrected: '2026-11-23, dbabf94',
    planted: 'a constraint that a worker of Citus reports is not known',
  },
  {
    fault:
      'A name with an escape was read as another name that an earlier body had (JSON.parse of V8, nodejs/node#63785)',
    foundBy: 'random JSON texts, with TEST_SEED=975673949',
    corrected: '2026-11-23, e4343a9',
    planted: 'a name with an escape is one that was parsed before',
  },
  {
    fault:
      'Instances that started at once on a new SQLite file could be refused: two checks read two states while another instance made the file',
    foundBy: 'tests of 30 files beside a load, in 1 of 12 runs',
    corrected: '2026-11-23, 0304247',
    planted: null,
  },
  {
    fault: 'The chart named the sums of the currency before with the new one until the new sums arrived',
    foundBy: 'a test of the page on a busy machine',
    corrected: '2026-11-22, b55f456',
    planted: null,
  },
  {
    fault:
      'An operation that leaves its body unread answered a malformed Content-Type with an undocumented 415',
    foundBy: 'fuzzing of the operations on webhooks',
    corrected: '2026-11-22, 56bb7eb',
    planted: null,
  },
  {
    fault:
      'A head that another recorder made between the lock and the recording was counted up without the lock: numbers were given twice',
    foundBy: 'the schedules of recorders at once on PostgreSQL, in 1 of 650',
    corrected: '2026-11-22, c99c864',
    planted: 'a head that is made after the lock is counted up',
  },
  {
    fault:
      'verify read each index of transactions alone: one changed bit in another index made a service give wrong answers that verify passed',
    foundBy: 'changed bits of SQLite files',
    corrected: '2026-11-22',
    planted: 'what SQLite finds in the file is not reported',
  },
  {
    fault:
      'References and accounts could be "." or "..", which clients remove from a path before they send it',
    foundBy: 'tests of attacks',
    corrected: '2026-11-21',
    planted: 'a reference can be ..',
  },
  {
    fault: 'Commands printed control characters of files, settings and recorded texts as they were',
    foundBy: 'tests of attacks',
    corrected: '2026-11-21',
    planted: 'they are printed as they are',
  },
  {
    fault: 'A 100 Continue was written between the headers and the bytes of the response before it',
    foundBy: 'damaged requests through sockets, after 460,000 of them',
    corrected: '2026-11-21, 11e526a',
    planted: null,
  },
  {
    fault: 'The response to a malformed address with an unknown method had no request id and was not logged',
    foundBy: 'damaged requests through sockets',
    corrected: '2026-11-21, f8d4611',
    planted: 'a response before the hooks lacks the standard headers',
  },
  {
    fault: 'A batch that was sent as JSON got 500',
    foundBy: 'fuzzing',
    corrected: '2026-11-21, c4bfbcf',
    planted: 'a batch that is sent as JSON is read',
  },
  {
    fault:
      'One commit without an answer left every later recording waiting for ever, and a batch did not end',
    foundBy: 'the simulation',
    corrected: '2026-11-21, 308ccc1',
    planted: 'a recording without an answer holds up the next one',
  },
  {
    fault:
      'Behind a pooler that shares connections, the name of a prepared statement could mean that of another program: another list, without an error',
    foundBy: 'the tests with pgbouncer',
    corrected: '2026-11-21, 8de7917',
    planted: null,
  },
];
