import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importsOf } from '../rig/run/import-graph.ts';
import { findWrongImports, readSourceFiles, unusedExceptions } from './source-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = readSourceFiles(ROOT, ['bin', 'src', 'client/src', 'web']);
const imports = files.flatMap(importsOf);

test('imports run one way: bin, cli -> service -> store -> capabilities -> http, db -> values', () => {
  assert.deepEqual(findWrongImports(imports), []);
});

test('each exception from the direction is still needed', () => {
  assert.deepEqual(unusedExceptions(imports), []);
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
