import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importsOf } from '../rig/run/import-graph.ts';
import { findCycles, findWrongImports, readSourceFiles, unusedExceptions } from './source-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = readSourceFiles(ROOT, ['bin', 'src', 'client/src', 'web']);
const imports = files.flatMap(importsOf);

test('imports run one way: bin, cli -> service -> store -> capabilities -> http, db -> values', () => {
  assert.deepEqual(findWrongImports(imports), []);
});

test('each exception from the direction is still needed', () => {
  assert.deepEqual(unusedExceptions(imports), []);
});

test('imports form no cycle', () => {
  assert.deepEqual(findCycles(imports), []);
});

test('outside its folder, the PostgreSQL driver is imported through its index.ts', () => {
  const driver = 'src/db/postgres/driver/';
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
    importsOf({ path: 'src/values/x.ts', text }).map(({ to }) => to),
    [
      'a',
      'src/values/b.ts',
      'src/c.ts',
      'src/http/d.ts',
      'e',
      'src/values/f.ts',
      '#g',
      'src/values/h.ts',
      'src/values/i.ts',
    ].concat(['src/values/j.ts', 'src/values/k.ts']),
  );
});

test('an import against the direction is refused', () => {
  const wrong: [from: string, to: string][] = [
    ['src/values/a.ts', 'src/ledger/a.ts'],
    ['src/values/a.ts', 'node:fs'],
    ['src/db/a.ts', 'src/ledger/list/a.ts'],
    ['src/db/sqlite/a.ts', 'src/config/read-config.ts'],
    ['src/db/a.ts', 'fastify'],
    ['src/http/a.ts', 'src/db/b.ts'],
    ['src/http/a.ts', 'src/service/app.ts'],
    ['src/http/a.ts', 'src/ledger/list/a.ts'],
    ['src/http/a.ts', 'src/webhooks/network/b.ts'],
    ['src/http/a.ts', 'pg'],
    ['src/http/a.ts', 'commander'],
    ['src/http/a.ts', 'scripts/b.ts'],
    ['src/http/a.ts', 'client/src/b.ts'],
    ['src/http/a.ts', 'web/b.ts'],
    ['src/http/a.ts', 'preact'],
    ['src/ledger/list/a.ts', 'src/http/b.ts'],
    ['src/ledger/list/a.ts', 'src/ledger/list/http/b.ts'],
    ['src/ledger/list/a.ts', 'src/ledger/list/sqlite/b.ts'],
    ['src/ledger/list/a.ts', 'src/db/b.ts'],
    ['src/ledger/list/a.ts', 'src/store/b.ts'],
    ['src/ledger/list/a.ts', 'src/config/read-config.ts'],
    ['src/ledger/list/a.ts', 'node:fs'],
    ['src/ledger/list/a.ts', 'node:sqlite'],
    ['src/ledger/list/a.ts', 'fastify'],
    ['src/ledger/list/a.ts', 'client/src/b.ts'],
    ['src/ledger/list/a.ts', 'src/ledger/list/b.test.ts'],
    ['src/ledger/list/a.test.ts', 'src/store/b.ts'],
    ['src/ledger/list/http/a.ts', 'src/ledger/list/sqlite/b.ts'],
    ['src/ledger/list/http/a.ts', 'src/store/b.ts'],
    ['src/ledger/list/sqlite/a.ts', 'src/ledger/list/postgres/b.ts'],
    ['src/ledger/list/sqlite/a.ts', 'pg'],
    ['src/ledger/list/postgres/a.ts', 'node:sqlite'],
    ['src/keys/a.ts', 'src/webhooks/network/b.ts'],
    ['src/webhooks/network/a.ts', 'src/http/b.ts'],
    ['src/webhooks/network/a.ts', 'src/store/b.ts'],
    ['src/webhooks/network/a.ts', 'src/config/settings.ts'],
    ['src/store/a.ts', 'src/http/b.ts'],
    ['src/store/a.ts', 'src/ledger/list/http/b.ts'],
    ['src/service/app.ts', 'src/cli/b.ts'],
    ['src/config/read-config.ts', 'src/http/b.ts'],
    ['src/cli/a.ts', 'bin/b.js'],
    ['src/cli/a.ts', 'test/rig/b.ts'],
    ['bin/a.js', 'src/http/b.ts'],
    ['client/src/a.ts', 'src/values/b.ts'],
    ['client/src/a.ts', 'node:crypto'],
    ['client/src/a.ts', 'web/b.ts'],
    ['web/a.ts', 'src/ledger/b.ts'],
    ['web/parts/a.ts', 'node:crypto'],
    ['src/other/a.ts', 'src/values/b.ts'],
    ['src/dbs/a.ts', 'src/values/b.ts'],
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
    ['src/service/app.ts', 'src/ledger/list/http/b.ts'],
    ['src/service/app.ts', 'fastify'],
    ['src/ledger/list/http/a.ts', 'src/http/b.ts'],
    ['src/ledger/list/http/a.ts', 'src/ledger/totals/http/b.ts'],
    ['src/ledger/list/a.ts', 'src/ledger/totals/b.ts'],
    ['src/ledger/list/a.ts', 'src/values/b.ts'],
    ['src/ledger/list/a.ts', 'node:crypto'],
    ['src/ledger/list/a.test.ts', 'fast-check'],
    ['src/ledger/list/sqlite/a.ts', 'src/db/sqlite/b.ts'],
    ['src/ledger/list/sqlite/a.ts', 'node:sqlite'],
    ['src/store/a.ts', 'src/ledger/list/sqlite/b.ts'],
    ['src/db/sqlite/a.ts', 'node:sqlite'],
    ['src/webhooks/network/a.ts', 'src/webhooks/b.ts'],
    ['src/webhooks/network/a.ts', 'node:https'],
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
