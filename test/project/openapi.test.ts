import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openapiTexts } from '../../scripts/openapi-texts.ts';

for (const [name, text] of Object.entries(await openapiTexts())) {
  test(`${name} matches the routes (npm run openapi)`, () => {
    const committed = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
    assert.ok(text === committed, `${name} is out of date: run npm run openapi`);
  });
}
