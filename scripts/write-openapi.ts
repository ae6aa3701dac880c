/** Writes the OpenAPI documents anew from the routes' schemas: npm run openapi. */
import { writeFileSync } from 'node:fs';
import { openapiTexts } from './openapi-texts.ts';

for (const [name, text] of Object.entries(await openapiTexts())) {
  writeFileSync(new URL(`../${name}`, import.meta.url), text);
}
