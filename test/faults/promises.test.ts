import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checks } from '../../proof/conformance/index.js';
import { promisesPage } from '../../release/documents/promises-page.ts';
import { FAULTS, PROMISES } from './planted-faults.ts';
import { brokenText, ROOT } from './source-change.ts';

const read = (document: string) => readFileSync(ROOT + document, 'utf8');

function sectionOf(document: string, heading: string): string[] {
  const [, section = ''] = read(document).split(`\n## ${heading}\n`);
  return (section.split('\n## ')[0] ?? '').split('\n');
}

const itemsOf = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2));

const LINES_OF: Readonly<Record<string, () => string[]>> = {
  'README.md': () => itemsOf(sectionOf('README.md', 'What it guarantees')),
  'SPEC.md': () =>
    [...read('SPEC.md').matchAll(/^#{2,3} (.+)$/gm)]
      .map(([, heading = '']) => heading)
      .filter((heading) => heading !== 'What may change'),
  'SECURITY.md': () => itemsOf(sectionOf('SECURITY.md', 'What is promised')),
  'docs/reliability.md': () => itemsOf(read('docs/reliability.md').split('\n')),
};

const lines = Object.entries(LINES_OF).flatMap(([document, linesOf]) =>
  linesOf().map((line) => `${document}: ${line}`),
);

const promised = Object.values(PROMISES).flat();

test('each line of README, SPEC, SECURITY and reliability.md that makes a promise is in the table', () => {
  assert.ok(lines.length > 80);
  const places = promised.flatMap((one) => one.in);
  const missing = lines.filter((line) => !places.some((place) => line.startsWith(place)));
  assert.deepEqual(missing, []);
});

test('each place in the table is the beginning of exactly one line', () => {
  const wrong = promised
    .flatMap((one) => one.in)
    .filter((place) => lines.filter((line) => line === place || line.startsWith(`${place}`)).length !== 1);
  assert.deepEqual(wrong, []);
});

test('each promise has one or two planted faults, and no fault occurs twice', () => {
  assert.deepEqual(
    promised.filter(({ faults }) => faults.length < 1 || faults.length > 2),
    [],
  );
  const keys = FAULTS.map(({ file, from, to, test }) => JSON.stringify([file, from, to, test]));
  assert.equal(new Set(keys).size, keys.length);
});

test('each planted fault changes a text that its file has exactly once', () => {
  for (const fault of FAULTS) assert.notEqual(brokenText(fault), readFileSync(ROOT + fault.file, 'utf8'));
});

test('each test file that must fail exists, and so does each check of the kit', () => {
  const missing = FAULTS.filter(
    ({ checks, test }) => checks.length === 0 && !(test !== '' && existsSync(ROOT + test)),
  );
  assert.deepEqual(missing, []);
  const known = new Set(checks.map(({ id }) => id));
  const unknown = FAULTS.flatMap((fault) => fault.checks).filter((id) => !known.has(id));
  assert.deepEqual(unknown, []);
});

test('docs/promises.md has the table (npm run promises)', () => {
  assert.equal(readFileSync(`${ROOT}docs/promises.md`, 'utf8'), promisesPage());
});
