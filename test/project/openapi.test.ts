import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openapiTexts } from '../../release/documents/openapi-texts.ts';

test('the OpenAPI documents match the routes, and the error codes of the client those of the service (npm run openapi)', async () => {
  for (const [name, text] of Object.entries(openapiTexts())) {
    const committed = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
    assert.ok(text === committed, `${name} is out of date: run npm run openapi`);
  }
});
