/** Generates the OpenAPI documents from the schemas of the routes: npm run openapi. */
import { writeFileSync } from 'node:fs';
import { openapiTexts } from './openapi-texts.ts';

for (const [name, text] of Object.entries(openapiTexts())) {
  writeFileSync(new URL(`../../${name}`, import.meta.url), text);
}
