/** Writes openapi.json anew from the routes' schemas: npm run openapi. */
import { writeFileSync } from 'node:fs';
import { openapiText } from '../src/http/openapi.ts';
import { buildTestApp } from '../test/rig/app.ts';

const { server, store } = await buildTestApp();
writeFileSync(new URL('../openapi.json', import.meta.url), openapiText(server));
await server.close();
await store.close();
