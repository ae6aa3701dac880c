import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '../../src/config/read-config.ts';
import { allProblems } from '../../src/http/operations/operation-problems.ts';
import { type App, buildApp, SYSTEM_CLOCK } from '../../src/service/app.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { buildOperatorApp } from '../../src/service/operator-app.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';

/** The OpenAPI documents of the service with default settings, and the error codes of the client, by file name. */
export async function openapiTexts(): Promise<Record<string, string>> {
  const read = readConfig({});
  if (!('config' in read)) throw new Error(read.faults.join(' '));
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  const dependencies = {
    config: read.config,
    store,
    clock: SYSTEM_CLOCK,
    randomBytes,
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    cursorSecrets: ['not used for any cursor, long enough'],
  };
  const app = await buildApp({
    ...dependencies,
    webhooks: {
      send: async () => ({ error: 'documents send no webhook' }),
      explainUrl: () => undefined,
    },
  });
  const operatorApp = await buildOperatorApp(dependencies);
  const texts = {
    'openapi.json': await textOf(app),
    'openapi-operator.json': await textOf(operatorApp),
    'client/src/error-codes.ts': errorCodes(),
  };
  await app.server.close();
  await operatorApp.server.close();
  await store.close();
  return texts;
}

/** The document as text with line ends, so that a change is readable. */
const textOf = async ({ server }: App) =>
  `${JSON.stringify((await server.inject('/openapi.json')).json(), null, 2)}\n`;

const errorCodes = () => `/** The codes of the service's errors: npm run openapi writes them. */
export type ServiceErrorCode =
${allProblems(OPERATIONS)
  .map(({ code }) => `  | '${code}'`)
  .join('\n')};
`;
