// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const NETWORK: readonly Promised[] = [
  {
    promise: 'A request that two parsers could end at different places is refused',
    in: ['docs/reliability.md: A request that two HTTP'],
    faults: [
      {
        name: 'a lenient parser',
        file: 'src/http/server/http-server.ts',
        from: 'joinDuplicateHeaders: true,',
        to: 'joinDuplicateHeaders: true,\n      insecureHTTPParser: true,',
        foundBy: { file: 'test/http/smuggling.test.ts', test: 'nothing after it is answered' },
      },
    ],
  },
  {
    promise: 'A caller that does not read, or does not send, holds little and is ended',
    in: [
      'docs/reliability.md: A caller that pipelines',
      'docs/reliability.md: After a 408',
      'docs/reliability.md: 2,000 callers',
      'docs/reliability.md: A body that does not arrive',
      'docs/reliability.md: A batch whose sender',
      'docs/reliability.md: Callers with such',
    ],
    faults: [
      {
        name: 'a body that does not end is waited for',
        error: 'closed after',
        file: 'src/http/server/request-time-limit.ts',
        from: 'if (reply.raw.headersSent) continue;',
        to: 'if (reply.raw.headersSent || one.isArriving) continue;',
        foundBy: {
          file: 'test/http/connections-end.test.ts',
          test: '408: a body that is incomplete after 15 s is refused',
        },
      },
    ],
  },
  {
    promise: 'The health check of the process never asks the database',
    in: ['docs/reliability.md: `/livez` is answered', 'docs/reliability.md: Lists are correct again'],
    faults: [
      {
        name: 'it asks the database',
        file: 'src/service/health.ts',
        from: "handler: () => async () => ({ status: 'ok' }),",
        to: "handler:\n      ({ store }: HealthContext) =>\n      async () => {\n        await store.ping();\n        return { status: 'ok' };\n      },",
        foundBy: { file: 'test/http/health.test.ts', test: 'answers without the database' },
      },
    ],
  },
  {
    promise: 'Every response is correct whatever fails, in simulated time',
    in: [
      'docs/reliability.md: Every response is correct',
      'docs/reliability.md: The change feed through',
      'docs/reliability.md: After each of these kills',
    ],
    faults: [
      {
        name: 'a failed list is an empty page',
        file: 'src/ledger/list/list-transactions.ts',
        from: 'await store.listTransactions(query, PAGE_SIZE + 1);',
        to: 'await store\n    .listTransactions(query, PAGE_SIZE + 1)\n    .catch(() => ({ transactions: [], logPosition: undefined }));',
        foundBy: {
          file: 'test/simulation/simulation.test.ts',
          test: 'simulated histories of faults, restarts and jumping clocks break no promise',
        },
      },
    ],
  },
];
