// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const LIMITS: readonly Promised[] = [
  {
    promise: 'A key over its limit is refused, until the time in Retry-After, and no other key is',
    in: ['SECURITY.md: Requests are limited by key', 'docs/reliability.md: A key that sends five times'],
    faults: [
      {
        name: 'every request is admitted',
        file: 'src/keys/rate-limit.ts',
        from: 'const admitted = bucket.tokens >= needed;',
        to: 'const admitted = bucket.tokens >= -1e9;',
        foundBy: {
          file: 'test/http/429-rate-limit.test.ts',
          test: '429: a key over its limit gets Retry-After, and is admitted after that time',
        },
      },
      {
        name: 'keys of one account share a limit',
        file: 'src/keys/http/rate-limit.ts',
        from: 'countRequest: ({ keyId }, reply, cost) => requests.count(keyId, reply, cost)',
        to: 'countRequest: ({ account }, reply) => requests.count(account, reply)',
        foundBy: {
          file: 'test/http/429-rate-limit.test.ts',
          test: '429: a key over its limit does not affect another key of the same account',
        },
      },
    ],
  },
  {
    promise: 'A limit that an account has reached is 429 with a code of its own',
    in: ['SPEC.md: Limits'],
    faults: [
      {
        name: 'the waiting callers of an account have no limit',
        file: 'src/ledger/changes/change-watcher.ts',
        from: '    if (this.#places.heldBy(account) >= this.#maxOfAccount) throw new TooManyWaiting();\n',
        to: '',
        foundBy: {
          file: 'test/http/changes-many-waiting.test.ts',
          test: '429 too_many_waiting: one account has at most 1,000 waiting callers, and others still wait',
        },
      },
    ],
  },
  {
    promise: 'Failed authentications are limited by network, before the store is queried',
    in: [],
    faults: [
      {
        name: 'a trusted proxy that is written with a port is the caller',
        file: 'src/http/access/caller-address.ts',
        from: 'const address = addressOfHop(hop);',
        to: 'const address = isIP(hop) === 0 ? undefined : hop;',
        foundBy: {
          file: 'test/http/429-failed-authentication.test.ts',
          test: 'a trusted proxy that is written with a port is not the caller',
        },
      },
      {
        name: 'each IPv6 address has a limit of its own',
        file: 'src/http/access/caller-address.ts',
        from: 'IPV6_NETWORK_PARTS = 4',
        to: 'IPV6_NETWORK_PARTS = 8',
        foundBy: {
          file: 'test/http/429-failed-authentication.test.ts',
          test: '429: IPv6 connections are counted by /64',
        },
      },
      {
        name: 'guesses are counted after the lookup',
        file: 'src/keys/key-cache.ts',
        from: '    if (entry === undefined) beforeUnknown();\n',
        to: '',
        foundBy: {
          file: 'test/http/429-failed-authentication.test.ts',
          test: '429: an address over its limit is refused before its keys are looked up',
        },
      },
    ],
  },
  {
    promise: 'Requests that wait while the database stalls are answered, if it goes on in time',
    in: [],
    faults: [
      {
        name: 'each look-up waits alone in the slow lane',
        file: 'src/db/postgres/driver/connections.ts',
        from: 'if (waiting !== undefined) return waiting;',
        to: '',
        foundBy: {
          file: 'test/store/postgres/connection-use.test.ts',
          test: 'look-ups of one key at a time share a turn in the slow lane, and those of other keys have their own',
        },
      },
      {
        name: 'each recording that waits for a head starts its own repetition',
        file: 'src/ledger/record/postgres/record-held.ts',
        from: '    this.#waiting.set(account, left);\n',
        to: '    if (left.length > 0) this.#waiting.set(account, left);\n    else this.#waiting.delete(account);\n',
        foundBy: {
          file: 'test/store/postgres/changes.test.ts',
          test: 'recordings that wait for the head of an account one after the other are all recorded',
        },
      },
    ],
  },
  {
    promise:
      'More requests than can be answered in time are refused at once, and the health checks are answered',
    in: ['docs/reliability.md: At five times the capacity', 'docs/reliability.md: 1,500 callers'],
    faults: [
      {
        name: 'nothing is refused',
        file: 'src/http/overload/load-shedding.ts',
        from: 'if (!limit.begin(callers.hasNone(authorization))) return refuse(request, response);',
        to: 'limit.begin(callers.hasNone(authorization));',
        foundBy: {
          file: 'src/http/overload/load-shedding.test.ts',
          test: 'at the limit of the store, every request that queries it is refused',
        },
      },
      {
        name: 'a health check is refused',
        file: 'src/http/overload/load-shedding.ts',
        from: 'if (NEVER_REFUSED.has(url)) return handle(request, response);\n',
        to: '',
        foundBy: {
          file: 'src/http/overload/load-shedding.test.ts',
          test: 'when the event loop lags, every request is refused except health checks',
        },
      },
    ],
  },
  {
    promise: 'Only a byte makes a body',
    in: ['SPEC.md: Bodies'],
    faults: [
      {
        name: 'the headers of a body make one',
        file: 'src/http/server/request-bodies.ts',
        from: 'done(isEmpty ? undefined : getWithBody())',
        to: 'done(getWithBody())',
        foundBy: {
          file: 'test/http/200-empty-body.test.ts',
          test: 'is answered as without the headers of a body',
        },
      },
    ],
  },
  {
    promise: 'A request target of up to 4,096 characters is accepted',
    in: ['SPEC.md: Requests'],
    faults: [
      {
        name: 'longer addresses than 2,048 characters are refused',
        file: 'src/http/server/transport-limits.ts',
        from: 'MAX_URL_CHARACTERS = 4096',
        to: 'MAX_URL_CHARACTERS = 2048',
        foundBy: {
          file: 'test/http/limits.test.ts',
          test: '414: an address longer than 4096 characters; one of 4096 is read',
        },
      },
    ],
  },
  {
    promise: 'Malformed input gets a documented response, and an error lists 20 faults',
    in: ['SECURITY.md: Malformed input', 'SPEC.md: Errors'],
    faults: [
      {
        name: 'a response before the hooks lacks the standard headers',
        file: 'src/http/server/answer-errors.ts',
        from: "    if (!reply.hasHeader('request-id')) return answerUnrouted(problem, request, reply, reportUnrouted);\n",
        to: '',
        foundBy: {
          file: 'test/http/limits.test.ts',
          test: 'an unknown method with a broken address',
        },
      },
      {
        name: 'a batch that is sent as JSON is read',
        file: 'src/http/server/request-bodies.ts',
        from: '    scope.removeAllContentTypeParsers();\n',
        to: '',
        foundBy: {
          file: 'test/http/operator/record-batch.test.ts',
          test: '415: the batch accepts NDJSON only',
        },
      },
      {
        name: 'a name with an escape is one that was parsed before',
        file: 'src/values/parse-json.ts',
        from: 'names.some(({ isEscaped }) => isEscaped) ? parseWithNames(text, names) : value',
        to: 'value',
        foundBy: {
          file: 'src/values/parse-json.test.ts',
          test: 'a name with an escape is its own, whatever names were parsed before',
        },
      },
      {
        name: 'every fault is listed',
        file: 'src/values/fault-list.ts',
        from: 'MAX_LISTED_FAULTS = 20',
        to: 'MAX_LISTED_FAULTS = 2000',
        foundBy: {
          file: 'test/http/400-many-faults.test.ts',
          test: 'unknown parameters lists 20 faults and counts the others',
        },
      },
      {
        name: 'a malformed request ends as 500',
        error: 'request ',
        file: 'src/http/problems/problem.ts',
        from: 'statusCode >= 400 && statusCode < 500',
        to: 'statusCode > 400 && statusCode < 500',
        foundBy: {
          file: 'test/fuzz/fuzz.test.ts',
          test: 'malformed queries, paths, headers and bodies get documented responses',
        },
      },
    ],
  },
  {
    promise: 'A failed read is an error, never an empty or a short page',
    in: ['README.md: A failed read'],
    faults: [
      {
        name: 'a failed list is an empty page',
        file: 'src/ledger/list/list-transactions.ts',
        from: 'await store.listTransactions(query, PAGE_SIZE + 1);',
        to: 'await store\n    .listTransactions(query, PAGE_SIZE + 1)\n    .catch(() => ({ transactions: [], logPosition: undefined }));',
        foundBy: {
          file: 'test/http/503-store-fails.test.ts',
          test: '503 unavailable: a list that cannot be read is an error, never an empty page',
        },
      },
    ],
  },
  {
    promise: 'A request ends within its time limit',
    in: ['docs/reliability.md: If the store never responds', 'docs/reliability.md: Whatever happens between'],
    faults: [
      {
        name: 'a recording without an answer holds up the next one',
        file: 'src/service/operator-app.ts',
        from: 'withinTime(call(), config.requestTimeoutMs),',
        to: 'call(),',
        foundBy: {
          file: 'test/http/operator/503-lost-responses.test.ts',
          test: '503 unavailable: a recording without a response from the store does not delay the next one',
        },
      },

      {
        name: 'a request over its time limit ends as 500',
        file: 'src/http/server/request-time-limit.ts',
        from: "unavailable('deadline')",
        to: "new Problem(PROBLEMS.internal_error, 'The request was not answered in time.')",
        foundBy: {
          file: 'test/http/503-store-fails.test.ts',
          test: 'that never answers ends at the time limit of the request',
        },
      },
    ],
  },
  {
    promise:
      'An address has a bounded number of connections, and pipelined requests, unsent responses and incomplete bodies are bounded',
    in: [
      'SECURITY.md: A caller without a key',
      'docs/reliability.md: Each listener has at most',
      'docs/reliability.md: All pipelined requests',
      'docs/reliability.md: Requests that are sent without',
    ],
    faults: [
      {
        name: 'connections of an address are not counted',
        file: 'src/http/server/connection-limits.ts',
        from: 'if (count >= perAddress) return false;',
        to: '',
        foundBy: { file: 'test/http/connections-per-address.test.ts', test: 'an address has at most ' },
      },
      {
        name: 'no queue is too long',
        file: 'src/http/server/pipelines.ts',
        from: 'if (this.#waiting > MAX_WAITING) this.#destroyLongest();',
        to: '',
        foundBy: {
          file: 'test/http/pipelining.test.ts',
          test: 'callers that pipeline without reading lose their connections',
        },
      },
    ],
  },
];
