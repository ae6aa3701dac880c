import { writeFileSync } from 'node:fs';
import { allProblems } from '../../src/http/operations/operation-problems.ts';
import type { Listener } from '../../src/http/telemetry/http-metrics.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { documentOf } from '../pages/interfaces.ts';

export const openapiTexts = (): Record<string, string> => ({
  'openapi.json': textOf('public'),
  'openapi-operator.json': textOf('operator'),
  'client/src/error-codes.ts': errorCodes(),
});

const textOf = (listener: Listener) => `${JSON.stringify(documentOf(listener), null, 2)}\n`;

const errorCodes = () => `/** The codes of the service's errors. \`npm run openapi\` writes this file. */
export type ServiceErrorCode =
${allProblems(OPERATIONS)
  .map(({ code }) => `  | '${code}'`)
  .join('\n')};
`;

if (import.meta.main)
  for (const [name, text] of Object.entries(openapiTexts()))
    writeFileSync(new URL(`../../${name}`, import.meta.url), text);
