// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const SECRETS: readonly Promised[] = [
  {
    promise: 'No log, trace or metric has a key, a cursor, a filter or a field of a transaction',
    in: ['SECURITY.md: No log, error'],
    faults: [
      {
        name: 'the address of a request is logged',
        file: 'src/http/telemetry/request-log.ts',
        from: '    route,\n    status',
        to: '    route: request.url,\n    status',
        foundBy: {
          file: 'test/http/logs.test.ts',
          test: 'no key, cursor or filter value is in any line, whatever the response',
        },
      },
      {
        name: 'a path parameter is logged as it came',
        file: 'src/http/operations/path-parameter.ts',
        from: 'logged[logName] = loggable(value)',
        to: 'logged[logName] = value || loggable(value)',
        foundBy: {
          file: 'test/http/logs.test.ts',
          test: 'a key that is sent in place of a reference or an account is in no line',
        },
      },
      {
        name: 'a span has the address of the request',
        file: 'src/http/telemetry/tracing.ts',
        from: "'transactions.request_id': request.id,",
        to: "'transactions.request_id': request.id,\n      'url.full': request.url,",
        foundBy: {
          file: 'test/http/traces.test.ts',
          test: 'no key, cursor, reference, account or filter value is in any span',
        },
      },
      {
        name: 'a service logs its database with the password',
        file: 'src/service/run-service.ts',
        from: 'logger.info({ url, database,',
        to: "logger.info({ url, database: process.env['DATABASE_URL'] ?? database,",
        foundBy: {
          file: 'test/cli/secrets.test.ts',
          test: 'in logs, error responses, metrics, and what the system shows of the process',
        },
      },
    ],
  },
  {
    promise: 'An unexpected error shows nothing of its cause',
    in: ['SECURITY.md: Settings are checked'],
    faults: [
      {
        name: 'its message is the detail',
        file: 'src/http/problems/problem.ts',
        from: "'The service failed to answer. The log holds the cause under the requestId.'",
        to: '`The service failed to answer: ${(error as Error).message}`',
        foundBy: {
          file: 'test/http/503-store-fails.test.ts',
          test: '500 internal_error: the response to an unexpected error has no detail of it',
        },
      },
    ],
  },
  {
    promise:
      'Commands and the log print control characters only as their numbers, and no key that was typed in the wrong place',
    in: ['SECURITY.md: Commands and the log'],
    faults: [
      {
        name: 'a reference can be ..',
        file: 'src/ledger/transaction.ts',
        from: 'return IDENTIFIER.test(text) && !DOT_SEGMENT.test(text);',
        to: 'return IDENTIFIER.test(text);',
        foundBy: {
          file: 'test/http/dot-segments.test.ts',
          test: '422, and an invalid line: a reference or an account that is . or ..',
        },
      },

      {
        name: 'they are printed as they are',
        file: 'src/values/visible.ts',
        from: 'return line.replace(UNSEEN, escaped);',
        to: 'return UNSEEN.test(line) ? line : line;',
        foundBy: { file: 'test/cli/terminal-output.test.ts', test: 'from file names and files' },
      },
      {
        name: 'a key is quoted in an error',
        file: 'src/cli/terminal/output.ts',
        from: "visible(line).replace(API_KEY, '$1...')",
        to: 'visible(line)',
        foundBy: {
          file: 'test/cli/keys.test.ts',
          test: 'no command prints a key that was typed in the wrong place',
        },
      },
    ],
  },
  {
    promise: 'Every operation of the documents exists, with every response that it can have',
    in: ['SECURITY.md: The OpenAPI documents', 'SPEC.md: Headers of responses'],
    faults: [
      {
        name: 'a constraint that a worker of Citus reports is not known',
        file: 'src/db/postgres/driver/errors.ts',
        from: '.test(named ?? message)',
        to: ".test(named ?? '')",
        foundBy: {
          file: 'src/db/postgres/driver/errors.test.ts',
          test: 'a constraint is known by its field, and on Citus by the message of a worker, which has no fields',
        },
      },
      {
        name: 'an operation has another name than in the documents',
        file: 'src/ledger/list/http/list-transactions.ts',
        from: "id: 'listTransactions',",
        to: "id: 'listPayments',",
        foundBy: { file: 'test/project/openapi.test.ts', test: 'matches the routes' },
      },
    ],
  },
];
