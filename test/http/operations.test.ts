import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { problemsOf } from '../../src/http/operations/operation-problems.ts';
import { parametersOf } from '../../src/http/operations/parameters.ts';
import { referencedSchemas, type Schema } from '../../src/http/schemas/type.ts';
import { OPERATIONS } from '../../src/service/operations.ts';

const OFFERED = OPERATIONS.flatMap((operation) =>
  (['public', 'operator'] as const).flatMap((listener) => {
    const offer = operation[listener];
    if (offer === undefined) return [];
    const { responses } = operation;
    const declared = typeof responses === 'function' ? responses(offer.path) : responses;
    return [{ operation, listener, declared, ...offer }];
  }),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const schema of referencedSchemas(OFFERED)) ajv.addSchema(schema);

function check(schema: Schema, value: unknown, what: string): void {
  const plain = JSON.parse(JSON.stringify(schema));
  assert.ok(ajv.validate(plain, value), `${what}: ${ajv.errorsText()}\n${JSON.stringify(value)}`);
}

test('no fixed part of a path is a possible value of a parameter in the same position', () => {
  const parts = OFFERED.map(({ path, operation }) => ({
    segments: path.split('/'),
    parameters: parametersOf(path, operation.pathParameters),
  }));
  for (const { segments, parameters } of parts)
    for (const [place, segment] of segments.entries()) {
      const parameter = parameters[segment.slice(1)];
      if (!segment.startsWith(':') || parameter === undefined) continue;
      const before = segments.slice(0, place).join('/');
      for (const { segments: others } of parts) {
        const fixed = others[place];
        if (fixed === undefined || fixed.startsWith(':') || others.slice(0, place).join('/') !== before)
          continue;
        assert.ok(!parameter.isValid(fixed), `${others.join('/')} and ${segments.join('/')}`);
      }
    }
});

for (const { id, path, operation, listener, declared } of OFFERED)
  describe(`${id} (${listener})`, () => {
    const { body, pathParameters } = operation;

    test('the examples of its path, body and responses are what its rules and schemas accept', () => {
      for (const [name, { schema, isValid, absent }] of Object.entries(parametersOf(path, pathParameters))) {
        const examples = schema['examples'] as string[];
        assert.ok(examples.length > 0 && absent.endsWith('.'), name);
        for (const example of examples) assert.ok(isValid(example), `${name}: ${example}`);
      }
      for (const schema of referencedSchemas(body))
        for (const example of (schema['examples'] ?? []) as unknown[])
          check({ $ref: schema['$id'] }, example, 'the body');
      const responses = Object.entries(declared);
      const isOwn = ([status]: [status: string, ...unknown[]]) => status.startsWith('2') || id === 'askTools';
      assert.ok(responses.length > 0 && responses.every(isOwn), 'errors are problem documents');
      for (const [status, { content = {} }] of responses)
        for (const { schema, examples } of Object.values(content)) {
          assert.ok(Object.keys(examples).length > 0, `${status} has no example`);
          for (const [name, { value }] of Object.entries(examples)) check(schema, value, `${status} ${name}`);
        }
    });

    test('each of its errors is declared once', () => {
      const kinds = problemsOf(operation, listener);
      assert.equal(new Set(kinds).size, kinds.length);
      assert.equal(new Set(kinds.map(({ code }) => code)).size, kinds.length);
    });
  });
