// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const RECORDING: readonly Promised[] = [
  {
    promise: 'Recording the same again changes nothing, and a contradiction is refused with what differs',
    in: [
      'SPEC.md: Recording',
      'SPEC.md: `PUT /v1/accounts/{account}/transactions/{reference}`',
      'SECURITY.md: The public interface',
    ],
    faults: [
      {
        name: 'a contradiction is reported as unchanged',
        file: 'src/ledger/record/record-transaction.ts',
        from: "return { outcome: 'conflict', differences };",
        to: "return { outcome: 'unchanged' };",
        foundBy: {
          file: 'test/http/operator/record-transaction.test.ts',
          test: '409 transaction_conflict: lists each field that differs with both values, and changes nothing',
        },
      },
    ],
  },
  {
    promise: 'Every status but pending is final, and amount, currency and times never change',
    in: ['SPEC.md: States'],
    faults: [
      {
        name: 'a final status can change',
        file: 'src/ledger/record/record-transaction.ts',
        from: 'recorded.status === PENDING && given.status',
        to: 'given.status',
        foundBy: {
          file: 'src/ledger/record/record-transaction.test.ts',
          test: 'every status except pending is final',
        },
      },
      {
        name: 'a payment can change the amount',
        file: 'src/ledger/record/record-transaction.ts',
        from: '({ isSetByFinalChange }) => isSetByFinalChange !== true',
        to: "({ isSetByFinalChange, name }) => isSetByFinalChange !== true && name !== 'amount'",
        foundBy: {
          file: 'src/ledger/record/record-transaction.test.ts',
          test: 'amount, currency, time of creation and merchantReference never change',
        },
      },
    ],
  },
  {
    promise: 'A recording under an idempotency key happens once',
    in: ['SPEC.md: `POST /v1/accounts/{account}/transactions`'],
    faults: [
      {
        name: 'the key is not stored as it was sent',
        file: 'src/ledger/record/sqlite/record-transactions.ts',
        from: 'useKey.run(account, key, fingerprint, reference)',
        to: 'useKey.run(account, key + reference, fingerprint, reference)',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'under an idempotency key happens once, also if any instance repeats it',
        },
      },
      {
        name: 'other fields under the same key are taken for a repetition',
        file: 'src/ledger/record/sqlite/record-transactions.ts',
        from: "if (used.fingerprint !== fingerprint) return { outcome: 'key_reused', reference: used.reference };",
        to: '',
        foundBy: {
          file: 'test/http/operator/create-transaction.test.ts',
          test: '201: assigns a reference; the same Idempotency-Key',
        },
      },
    ],
  },
  {
    promise: 'What was not recorded is not acknowledged',
    in: [
      'README.md: An acknowledged write',
      'docs/reliability.md: A disk that is full',
      'docs/reliability.md: The thread that records cannot',
    ],
    faults: [
      {
        name: 'a failed recording is acknowledged',
        file: 'src/ledger/record/group-commit.ts',
        from: 'for (const { reject } of group) reject(error);',
        to: "for (const { resolve } of group) resolve({ outcome: 'recorded' }); void error;",
        foundBy: {
          file: 'src/ledger/record/group-commit.test.ts',
          test: 'a failed group fails only its own transactions',
        },
      },
      {
        name: 'a thread that ends is an error of the service',
        file: 'src/db/sqlite/thread.ts',
        from: "reject(new StoreUnavailable('thread_ended', `the ${this.#name} thread ended",
        to: 'reject(new Error(`the ${this.#name} thread ended',
        foundBy: { file: 'test/crash/disk.test.ts', test: 'a writing thread that fails to start' },
      },
    ],
  },
  {
    promise: 'Every acknowledged recording is stored once after a kill of the service',
    in: ['docs/reliability.md: After `kill -9` of the service at any moment, every acknowledged recording'],
    faults: [
      {
        name: 'a recording is acknowledged before it is stored',
        file: 'src/ledger/record/group-commit.ts',
        from: '      await this.#nextTurn();\n      const group = this.#takeGroup(server);\n',
        to: "      const group = this.#takeGroup(server);\n      for (const { resolve } of group) resolve({ outcome: 'recorded' });\n      await new Promise((later) => setTimeout(later, 50));\n",
        foundBy: { file: 'test/crash/kills.test.ts', test: 'kills of the service at random moments' },
      },
    ],
  },
  {
    promise: 'A recording is durable on PostgreSQL whatever the level of its settings',
    in: ['docs/reliability.md: The same after `kill -9` of PostgreSQL'],
    faults: [
      {
        name: 'the level of the session is not raised',
        error: 'synchronous_commit is off',
        file: 'src/db/postgres/driver/session-settings.ts',
        from: "WHEN '${CAN_BE_LOST}' THEN",
        to: "WHEN 'none' THEN",
        foundBy: {
          file: 'test/store/postgres/commit-level.test.ts',
          test: 'kills of a server with synchronous_commit=off',
        },
      },
    ],
  },
  {
    promise: 'The log names each acknowledged recording that a failover has lost, once',
    in: ['docs/reliability.md: After `kill -9` of a primary under load'],
    faults: [
      {
        name: 'the next look names it again',
        file: 'src/service/lost-recordings.ts',
        from: '    this.acknowledged.forget(lost);\n',
        to: '',
        foundBy: {
          file: 'src/service/lost-recordings.test.ts',
          test: 'each recording that is missing after the database was away is named once',
        },
      },
    ],
  },
  {
    promise: 'A batch has one result for each line, in their order',
    in: ['SPEC.md: `POST /v1/batch`', 'SECURITY.md: Input of the platform'],
    faults: [
      {
        name: 'the second transaction of a group gets the result of the first',
        file: 'src/ledger/record/group-commit.ts',
        from: 'const result = results[index] as RecordResult;',
        to: 'const result = results[0] as RecordResult; void index;',
        foundBy: {
          file: 'src/ledger/record/group-commit.test.ts',
          test: 'a transaction that fails alone gets its error, and the others their outcomes',
        },
      },
      {
        name: 'a repeated name is not noticed',
        file: 'src/values/parse-json.ts',
        from: 'if (level.names.has(level.at))',
        to: 'if (level.names.has(`${level.at} `))',
        foundBy: {
          file: 'test/http/operator/record-transaction.test.ts',
          test: '422: a name that is repeated in the body is refused, and nothing is recorded',
        },
      },
    ],
  },
  {
    promise: 'A stream that is cut off and sent again is recorded exactly once',
    in: ['docs/reliability.md: A stream that is cut off'],
    faults: [
      {
        name: 'the last line of a chunk is passed over',
        file: 'src/operate/import/read-lines.ts',
        from: 'yield tooLong === -1 ? texts : texts.slice(0, tooLong);',
        to: 'yield texts.slice(0, -1);',
        foundBy: {
          file: 'test/http/operator/record-batch.test.ts',
          test: '200: each line gets one result, in the order of the lines, faulty lines too',
        },
      },
    ],
  },
  {
    promise: 'A new transaction cannot be created far ahead of the clock',
    in: [],
    faults: [
      {
        name: 'it is recorded',
        file: 'src/ledger/record/recording-limits.ts',
        from: 'one.createdAtMs > latestMs',
        to: 'one.createdAtMs > latestMs + 1',
        foundBy: {
          file: 'test/http/operator/422-created-ahead.test.ts',
          test: '422: PUT, POST and batch refuse a new transaction, to the millisecond',
        },
      },
    ],
  },
  {
    promise: 'With ACCOUNTS=declared, a misspelt account is refused',
    in: [],
    faults: [
      {
        name: 'the beginning of another account is taken for an account',
        file: 'src/accounts/declared-accounts.ts',
        from: 'first?.account !== account',
        to: 'first === undefined',
        foundBy: {
          file: 'test/http/operator/422-account-not-declared.test.ts',
          test: '422: PUT, POST and batch refuse an account without key and transactions, and it does not exist afterwards',
        },
      },
    ],
  },
  {
    promise: 'All faults of a body are reported together, each with its pointer',
    in: ['SPEC.md: Bodies'],
    faults: [
      {
        name: 'only the first fault is listed',
        file: 'src/values/fault-list.ts',
        from: 'this.listed.length === MAX_LISTED_FAULTS',
        to: 'this.listed.length === 1',
        foundBy: {
          file: 'test/http/operator/record-transaction.test.ts',
          test: '422 invalid_fields: lists all faults at once',
        },
      },
    ],
  },
];
