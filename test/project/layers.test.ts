import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCycles, findWrongImports, importsOf, readSourceFiles } from './source-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = readSourceFiles(ROOT, ['bin', 'src', 'client/src', 'web']);
const imports = files.flatMap(importsOf);

test('imports run one way: bin, cli -> app -> http -> core <- store', () => {
  assert.deepEqual(findWrongImports(imports), []);
});

test('imports form no cycle', () => {
  assert.deepEqual(findCycles(imports), []);
});

test('outside its folder, the PostgreSQL driver is imported through its index.ts', () => {
  const driver = 'src/store/postgres/driver/';
  const around = imports.filter(
    ({ from, to }) => to.startsWith(driver) && to !== `${driver}index.ts` && !from.startsWith(driver),
  );
  // The form of an address is known without loading pg.
  assert.deepEqual(around, [{ from: 'src/store/open-store.ts', to: `${driver}address.ts` }]);
});

test('every import of the source is found', () => {
  const seen = new Set(imports.map(({ to }) => to));
  for (const { path, text } of files) {
    const mentioned = text.match(/^.*\bfrom '[^']+'( with .+)?;$|^import '|\bimport\(/gm) ?? [];
    assert.equal(importsOf({ path, text }).length, mentioned.length, path);
  }
  for (const to of seen)
    if (/^(src|bin|client|web)\//.test(to)) assert.ok(existsSync(join(ROOT, to)), `${to} does not exist`);
  for (const one of ['src/store/store.ts', 'src/service/app.ts', 'src/cli/main.ts', 'fastify', 'node:sqlite'])
    assert.ok(seen.has(one), `${one} is never imported`);
});

test('an import is found in each form that the formatter writes', () => {
  const text = `#!/usr/bin/env node
import a from 'a';
import { b } from './b.ts';
import type { C } from '../c.ts';
import {
  d,
  type D,
} from '../http/d.ts';
import * as e from 'e';
import './f.ts';
import g from '#g' with { type: 'json' };
export { h } from './h.ts';
export * from './i.ts';
export type { J } from './j.ts';
export const from = 'not an import';
const k = await import('./k.ts');
`;
  assert.deepEqual(
    importsOf({ path: 'src/core/x.ts', text }).map(({ to }) => to),
    [
      'a',
      'src/core/b.ts',
      'src/c.ts',
      'src/http/d.ts',
      'e',
      'src/core/f.ts',
      '#g',
      'src/core/h.ts',
      'src/core/i.ts',
    ].concat(['src/core/j.ts', 'src/core/k.ts']),
  );
});

test('an import against the direction is refused', () => {
  const wrong: [from: string, to: string][] = [
    ['src/core/a.ts', 'src/http/b.ts'],
    ['src/core/a.ts', 'src/store/b.ts'],
    ['src/core/a.ts', 'src/config/read-config.ts'],
    ['src/core/a.ts', 'node:fs'],
    ['src/core/a.ts', 'node:sqlite'],
    ['src/core/a.ts', 'fastify'],
    ['src/core/a.test.ts', 'src/store/b.ts'],
    ['src/http/a.ts', 'src/store/b.ts'],
    ['src/http/a.ts', 'src/service/app.ts'],
    ['src/http/a.ts', 'pg'],
    ['src/store/a.ts', 'src/http/b.ts'],
    ['src/store/sqlite/a.ts', 'src/config/read-config.ts'],
    ['src/store/a.ts', 'fastify'],
    ['src/service/app.ts', 'src/store/b.ts'],
    ['src/service/app.ts', 'src/cli/b.ts'],
    ['src/config/read-config.ts', 'src/http/b.ts'],
    ['src/http/a.ts', 'commander'],
    ['src/cli/a.ts', 'bin/b.js'],
    ['src/cli/a.ts', 'test/rig/b.ts'],
    ['src/http/a.ts', 'scripts/b.ts'],
    ['src/core/a.ts', 'src/core/b.test.ts'],
    ['bin/a.js', 'src/http/b.ts'],
    ['client/src/a.ts', 'src/core/b.ts'],
    ['client/src/a.ts', 'node:crypto'],
    ['src/http/a.ts', 'client/src/b.ts'],
    ['src/core/a.ts', 'client/src/b.ts'],
    ['client/src/a.ts', 'web/b.ts'],
    ['web/a.ts', 'src/core/b.ts'],
    ['web/parts/a.ts', 'node:crypto'],
    ['src/http/a.ts', 'web/b.ts'],
    ['src/http/a.ts', 'preact'],
    ['src/network/a.ts', 'src/http/b.ts'],
    ['src/network/a.ts', 'src/store/b.ts'],
    ['src/network/a.ts', 'src/config/settings.ts'],
    ['src/core/a.ts', 'src/network/b.ts'],
    ['src/http/a.ts', 'src/network/b.ts'],
    ['src/service/app.ts', 'src/network/b.ts'],
    ['src/other/a.ts', 'src/core/b.ts'],
    ['src/corely/a.ts', 'src/core/b.ts'],
  ];
  for (const [from, to] of wrong)
    assert.equal(findWrongImports([{ from, to }]).length, 1, `${from} -> ${to}`);
});

test('an import along the direction is accepted', () => {
  const right: [from: string, to: string][] = [
    ['bin/a.js', 'src/cli/main.ts'],
    ['src/cli/a.ts', 'src/store/b.ts'],
    ['src/cli/a.ts', 'client/src/b.ts'],
    ['client/src/a.ts', 'client/src/b.ts'],
    ['web/parts/a.ts', 'client/src/b.ts'],
    ['web/parts/a.ts', 'web/state/b.ts'],
    ['web/parts/a.ts', 'preact/hooks'],
    ['src/service/app.ts', 'src/http/routes/b.ts'],
    ['src/http/a.ts', 'src/core/b.ts'],
    ['src/store/sqlite/a.ts', 'src/store/b.ts'],
    ['src/store/a.ts', 'src/core/b.ts'],
    ['src/store/a.ts', 'node:sqlite'],
    ['src/network/a.ts', 'src/core/b.ts'],
    ['src/network/a.ts', 'node:https'],
    ['src/cli/a.ts', 'src/network/b.ts'],
    ['src/core/a.ts', 'src/core/b.ts'],
    ['src/core/a.ts', 'node:crypto'],
    ['src/core/a.test.ts', 'fast-check'],
    ['src/http/a.test.ts', 'test/rig/b.ts'],
    ['src/config/read-config.test.ts', 'src/config/read-config.ts'],
  ];
  assert.deepEqual(findWrongImports(right.map(([from, to]) => ({ from, to }))), []);
});

test('a cycle of one, two or many files is found, also behind other files', () => {
  const graphOf = (...edges: string[]) => edges.map(([from = '', to = '']) => ({ from, to }));
  assert.deepEqual(findCycles(graphOf('aa')), ['a -> a']);
  assert.deepEqual(findCycles(graphOf('ab', 'ba')), ['a -> b -> a']);
  assert.deepEqual(findCycles(graphOf('ab', 'bc', 'cd', 'db', 'be')), ['b -> c -> d -> b']);
  assert.equal(findCycles(graphOf('ab', 'ba', 'cd', 'dc')).length, 2);
  assert.deepEqual(findCycles(graphOf('ab', 'ac', 'bd', 'cd', 'de')), []);
});
