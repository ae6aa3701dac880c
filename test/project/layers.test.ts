import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  findWrongImports,
  importedPastDoors,
  importsOf,
  readSourceFiles,
  SHIPPED,
  unusedExceptions,
} from './source-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = readSourceFiles(ROOT, SHIPPED);
const imports = files.flatMap(importsOf);

test('imports run one way: bin -> cli -> service -> store -> capabilities -> http, db -> values', () => {
  assert.deepEqual(findWrongImports(imports), []);
});

test('each exception to the direction of imports is still needed', () => {
  assert.deepEqual(unusedExceptions(imports), []);
});

test('a capability is imported through its door, except for the files in past-doors.txt, to which nothing may be added', () => {
  const known = readFileSync(join(import.meta.dirname, 'past-doors.txt'), 'utf8')
    .trim()
    .split('\n');
  assert.deepEqual(importedPastDoors(imports), known);
});

test('outside its folder, the PostgreSQL driver is imported through its index.ts', () => {
  const driver = 'src/db/postgres/driver/';
  const around = imports.filter(
    ({ from, to }) => to.startsWith(driver) && to !== `${driver}index.ts` && !from.startsWith(driver),
  );
  // This import is an exception, so that the form of an address can be checked without loading pg.
  assert.deepEqual(around, [{ from: 'src/store/open-store.ts', to: `${driver}address.ts` }]);
});

const POSTGRES_SERVER = 'test/rig/database/postgres-server.ts';

test('the judge and the kit share no code with what they judge: they import only their own files and Node', () => {
  for (const folder of ['proof/judge', 'proof/conformance']) {
    const own = readSourceFiles(ROOT, [folder]).filter(({ path }) => /\.[jt]s$/.test(path));
    const imported = own.flatMap(importsOf).map(({ to }) => to);
    assert.ok(imported.length > 20, folder);
    for (const to of imported)
      assert.ok(
        /^node:/.test(to) || to.startsWith(`${folder}/`) || to === POSTGRES_SERVER,
        `${folder}: ${to}`,
      );
  }
});

const MODELS = ['test/model/*.ts', 'test/rig/data/expected-totals.ts', 'test/rig/webhooks/model-webhooks.ts'];

test('the models of the tests import only types from the source', () => {
  const files = globSync(MODELS, { cwd: ROOT });
  assert.equal(files.length, 5);
  for (const path of files) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const values = text.match(/^(?:import|export) (?!type )[^;]*? from '(?:\.\.\/)+src\/[^']+';$/gm) ?? [];
    assert.deepEqual(values, [], path);
  }
});
