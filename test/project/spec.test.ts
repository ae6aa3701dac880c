import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import openapi from '../../openapi.json' with { type: 'json' };
import operatorOpenapi from '../../openapi-operator.json' with { type: 'json' };
import { checks } from '../../proof/conformance/index.js';
import { COMMON_ERRORS } from '../../values/interface/errors.ts';

const spec = readFileSync(join(import.meta.dirname, '../../SPEC.md'), 'utf8');

interface Operation {
  parameters?: ({ name: string } | { $ref: string })[];
}

const operations = new Map(
  [openapi, operatorOpenapi].flatMap(({ paths }) =>
    Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(() => path.startsWith('/v1/'))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  ),
);

test('the example of a seal in SPEC.md is right', () => {
  const [, text = '', seal = ''] =
    /`(\[.*\])`\s+The seal at this change is\s+`([0-9a-f]{64})`/.exec(spec) ?? [];
  assert.equal(text, JSON.stringify(JSON.parse(text)));
  assert.equal(createHash('sha256').update(Buffer.alloc(32)).update(text).digest('hex'), seal);
});

test('SPEC.md has exactly the operations of the service', () => {
  const named = [...spec.matchAll(/`((?:GET|PUT|POST|PATCH|DELETE) \/v1\/[^`]*)`/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(named)].sort(), [...operations.keys()].sort());
});

test('SPEC.md has every sentence that the kit quotes', () => {
  const text = spec.replaceAll(/\s+/g, ' ');
  const quoted = new Set(checks.map(({ sentence }) => sentence).filter((sentence) => sentence !== undefined));
  assert.ok(quoted.size > 50);
  assert.deepEqual(
    [...quoted].filter((sentence) => !text.includes(sentence)),
    [],
  );
});

test('SPEC.md has every parameter', () => {
  const names = [...operations.values()].flatMap(({ parameters = [] }) =>
    parameters.map((parameter) =>
      '$ref' in parameter ? (parameter.$ref.split('/').at(-1) as string) : parameter.name,
    ),
  );
  assert.ok(names.length > 50);
  const missing = new Set(names).difference(
    new Set([...spec.matchAll(/`([A-Za-z-]+)`|\{([A-Za-z]+)\}/g)].map(([, code, path]) => code ?? path)),
  );
  assert.deepEqual([...missing], []);
});

test('SPEC.md has every error code', () => {
  const missing = Object.keys(COMMON_ERRORS).filter((code) => !spec.includes(`\`${code}\``));
  assert.deepEqual(missing, []);
});
