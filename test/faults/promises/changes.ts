// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const CHANGES: readonly Promised[] = [
  {
    promise: 'Changes have the numbers 1, 2, 3 and so on, in the order in which they became visible',
    in: ['README.md: The changes of an account', 'SPEC.md: Changes'],
    faults: [
      {
        name: 'a number is left out',
        file: 'src/ledger/record/sqlite/record-transactions.ts',
        from: 'const sequence = head.sequence + 1;',
        to: 'const sequence = head.sequence + (head.sequence === 1 ? 2 : 1);',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'have the numbers 1, 2, 3 and so on, in the order in which they were given',
        },
      },
      {
        name: 'a page with a gap is sent',
        file: 'src/ledger/changes/list-changes.ts',
        from: 'changes.length !== expected || wrong !== undefined',
        to: 'changes.length > expected',
        foundBy: {
          file: 'test/http/400-changes.test.ts',
          test: '500 internal_error: a page with a gap is never a response',
        },
      },
    ],
  },
  {
    promise: 'Recorders at once give numbers without a gap or a repeat',
    in: ['docs/reliability.md: Sequence numbers of recorders'],
    faults: [
      {
        name: 'a head that is made after the lock is counted up',
        file: 'src/ledger/record/postgres/record-statements.ts',
        from: '(count = cardinality($1))::text',
        to: "'true'",
        foundBy: {
          file: 'test/store/postgres/changes.test.ts',
          test: 'a head that is made between the lock and the recording is locked before it is counted up',
        },
      },

      {
        name: 'the head is read without its lock',
        error: 'duplicate key value',
        file: 'src/ledger/record/postgres/record-statements.ts',
        from: ' FOR NO KEY UPDATE OF accounts',
        to: '',
        foundBy: {
          file: 'test/store/postgres/changes.test.ts',
          test: 'recorders of one account, some of them refused',
        },
      },
    ],
  },
  {
    promise: 'The numbers go on after the largest one if the head of an account was lost',
    in: [],
    faults: [
      {
        name: 'they begin again',
        error: 'was not recorded',
        file: 'src/ledger/record/sqlite/sequence-numbers.ts',
        from: 'stored ?? readLargestNumber(account)',
        to: 'stored ?? 0',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'go on after the largest number if the head of the account was lost',
        },
      },
    ],
  },
  {
    promise: 'A change shows the transaction as it was right after it',
    in: ['SPEC.md: `GET /v1/changes`', 'SPEC.md: `GET /v1/transactions/{reference}/changes`'],
    faults: [
      {
        name: 'a pending transaction shows its later payment',
        file: 'src/ledger/changes/numbered-changes.ts',
        from: '  paidAtMs: null,\n});',
        to: '});',
        foundBy: {
          file: 'test/http/200-changes.test.ts',
          test: '200 and 404: the changes of one transaction are those of the feed',
        },
      },
    ],
  },
  {
    promise: 'After a restore, each reader that has lost changes notices it, and its copy becomes equal',
    in: ['docs/reliability.md: After the restore of an older'],
    faults: [
      {
        name: 'a change that is recorded again has the id of the lost one',
        file: 'src/ledger/changes/change-id.ts',
        from: '`${account} ${sequence} ${nonce}`',
        to: '`${account} ${sequence}`',
        foundBy: {
          file: 'test/restores/restores.test.ts',
          test: 'exactly the readers of the change feed that have lost changes are refused',
        },
        error: 'has the id of another one',
      },
      {
        name: 'a reader of another history goes on',
        file: 'src/ledger/changes/change-result.ts',
        from: 'changeId(account, last) === afterId)',
        to: 'changeId(account, last) !== null)',
        foundBy: {
          file: 'test/restores/restores.test.ts',
          test: 'exactly the readers of the change feed that have lost changes are refused',
        },
        error: 'has lost changes and was not refused',
      },
    ],
  },
  {
    promise: 'A reader beyond the head is refused',
    in: [],
    faults: [
      {
        name: 'it is the end of the feed',
        file: 'src/ledger/changes/list-changes.ts',
        from: 'if (headSequence < after) throw',
        to: 'if (headSequence < after && limit === 0) throw',
        foundBy: {
          file: 'test/http/400-changes.test.ts',
          test: '400 sequence_ahead: a position beyond the head names the head',
        },
      },
    ],
  },
  {
    promise: 'A recording ends a wait at once, on its own instance and on another',
    in: [],
    faults: [
      {
        name: 'callers of other accounts are woken',
        file: 'src/ledger/changes/change-watcher.ts',
        from: 'of this.#observations.get(account) ?? []) observation.noteRecorded(nowMs)',
        to: 'of [...this.#observations.values()].flatMap((all) => [...all])) observation.noteRecorded(nowMs)',
        foundBy: {
          file: 'src/ledger/changes/change-watcher.test.ts',
          test: "a recording of this process wakes its own account's callers at once, and no others",
        },
      },
      {
        name: 'another instance is not noticed',
        file: 'src/ledger/changes/change-watcher.ts',
        from: 'headSequence > waiting.after) waiting.end',
        to: 'headSequence > waiting.after + 1) waiting.end',
        foundBy: {
          file: 'src/ledger/changes/change-watcher.test.ts',
          test: 'a change of another process wakes the callers that do not know it',
        },
      },
    ],
  },
  {
    promise: 'A revoked key ends a wait, and gets nothing more',
    in: [],
    faults: [
      {
        name: 'the key is not checked after a wait',
        file: 'src/ledger/changes/await-changes.ts',
        from: '      await caller.authenticate();\n',
        to: '',
        foundBy: {
          file: 'test/http/200-changes-wait.test.ts',
          test: '401 invalid_api_key: a recording sends nothing to a key that was revoked just before',
        },
      },
    ],
  },
];
