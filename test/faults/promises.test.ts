import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checks } from '../../conformance/index.js';
import { promisesPage, securityText } from '../../scripts/promises-page.ts';
import { promiseLines } from './document-promises.ts';
import { FOUND } from './found.ts';
import { FAULTS, PROMISES } from './planted-faults.ts';
import { brokenText, ROOT } from './source-change.ts';

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
  const keys = FAULTS.map(({ file, from, to, test, checks }) =>
    JSON.stringify([file, from, to, test, checks]),
  );
  assert.equal(new Set(keys).size, keys.length);
});

test('each planted fault changes a text that its file has exactly once', () => {
  for (const fault of FAULTS) assert.notEqual(brokenText(fault), readFileSync(ROOT + fault.file, 'utf8'));
});

test('each test file that must fail exists, and each check of the kit', () => {
  const missing = FAULTS.filter(({ test }) => test !== undefined && !existsSync(ROOT + test));
  assert.deepEqual(missing, []);
  const known = new Set(checks.map(({ id }) => id));
  const unknown = FAULTS.flatMap((fault) => [...fault.checks, ...fault.beside]).filter(
    (id) => !known.has(id),
  );
  assert.deepEqual(unknown, []);
});

test('each check of the kit has a planted fault of the service that it finds', () => {
  const found = new Set(FAULTS.flatMap((fault) => fault.checks));
  assert.deepEqual(
    checks.map(({ id }) => id).filter((id) => !found.has(id)),
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

test('each row of SECURITY.md has the tests of its planted faults (npm run promises)', () => {
  const text = readFileSync(`${ROOT}SECURITY.md`, 'utf8');
  assert.equal(text, securityText(text));
});
