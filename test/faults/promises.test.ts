import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { promisesPage } from '../../scripts/promises-page.ts';
import { promiseLines } from './document-promises.ts';
import { FOUND } from './found.ts';
import { brokenText, ROOT } from './planted-fault.ts';
import { FAULTS, PROMISES } from './promises.ts';

const promised = Object.values(PROMISES).flat();

test('each line that promises something in README, SPEC, SECURITY and reliability.md is in the table', () => {
  const lines = promiseLines();
  assert.ok(lines.length > 80);
  const places = promised.flatMap((one) => one.in);
  const missing = lines.filter((line) => !places.some((place) => line.startsWith(place)));
  assert.deepEqual(missing, []);
});

test('each place in the table is the beginning of one line', () => {
  const lines = promiseLines();
  const wrong = promised
    .flatMap((one) => one.in)
    .filter((place) => lines.filter((line) => line === place || line.startsWith(`${place}`)).length !== 1);
  assert.deepEqual(wrong, []);
});

test('each promise has a planted fault, at least 60 in all, and no fault is there twice', () => {
  assert.deepEqual(
    promised.filter(({ faults }) => faults.length === 0),
    [],
  );
  assert.ok(FAULTS.length >= 60);
  const keys = FAULTS.map(({ file, from, to, foundBy }) => JSON.stringify([file, from, to, foundBy]));
  assert.equal(new Set(keys).size, keys.length);
});

test('each planted fault changes a text that its file has exactly once', () => {
  for (const fault of FAULTS) assert.notEqual(brokenText(fault), readFileSync(ROOT + fault.file, 'utf8'));
});

/** A test file with what it imports of the tests, where its tests can be. */
function sourceOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !existsSync(ROOT + file)) return '';
  seen.add(file);
  const text = readFileSync(ROOT + file, 'utf8');
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) => join(dirname(file), name));
  return [
    text,
    ...imported.filter((name) => name.startsWith('test/')).map((name) => sourceOf(name, seen)),
  ].join('\n');
}

test('each test that must fail exists', () => {
  const sources = new Map<string, string>();
  const missing = FAULTS.filter(({ foundBy: { file, test: name } }) => {
    const source = sources.get(file) ?? sourceOf(file).replaceAll(/\\(['`])/g, '$1');
    sources.set(file, source);
    return !source.includes(name);
  });
  assert.deepEqual(
    missing.map(({ foundBy }) => foundBy),
    [],
  );
});

test('each fault that tests found names a planted fault that exists, if any', () => {
  const names = new Set(FAULTS.map(({ name }) => name));
  assert.deepEqual(
    FOUND.filter(({ planted }) => planted !== null && !names.has(planted)),
    [],
  );
});

test('docs/promises.md has the table (npm run promises)', () => {
  assert.equal(readFileSync(`${ROOT}docs/promises.md`, 'utf8'), promisesPage());
});
