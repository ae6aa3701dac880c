import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openapiTexts } from '../../scripts/openapi-texts.ts';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description: string;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: (Parameter | { $ref: string })[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: Record<string, object> & { parameters: Record<string, Parameter> };
}

// Not awaited here: in a group of files, the tests before could have ended meanwhile.
const texts = openapiTexts();

test('the OpenAPI documents match the routes, and the error codes of the client those of the service (npm run openapi)', async () => {
  for (const [name, text] of Object.entries(await texts)) {
    const committed = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
    assert.ok(text === committed, `${name} is out of date: run npm run openapi`);
  }
});

for (const name of ['openapi.json', 'openapi-operator.json'] as const) {
  // The rules of two linters and three generators of clients need an install of their own: test/project/openapi-tools.long.test.ts.
  test(`${name} has no reference that leads nowhere, no component without a use, and no incomplete operation`, async () => {
    const { [name]: text = '' } = await texts;
    const document = JSON.parse(text) as Document;
    const references = new Set([...text.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path = '']) => path));
    const { securitySchemes: _, ...components } = document.components;
    const defined = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((one) => `components/${kind}/${one}`),
    );
    assert.deepEqual([...references].sort(), defined.sort());

    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    const ids = operations.map(({ operationId }) => operationId);
    assert.deepEqual(ids, [...new Set(ids)]);
    for (const { path, operationId, summary, description, tags, ...operation } of operations) {
      const parameters = (operation.parameters ?? []).map((one) =>
        '$ref' in one ? (document.components.parameters[one.$ref.split('/').at(-1) ?? ''] as Parameter) : one,
      );
      assert.ok(summary && description && parameters.every((one) => one.description), operationId);
      assert.ok(tags.length === 1 && document.tags.some((tag) => tag.name === tags[0]), operationId);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
      const declared = parameters.filter((one) => one.in === 'path' && one.required === true);
      assert.deepEqual(declared.map((one) => one.name).sort(), inPath.sort(), operationId);
    }
  });
}
