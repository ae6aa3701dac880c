import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
/** The list itself, text that is not ours, and files that never change. */
const EXCLUDED = /^test\/project\/words\.test\.ts$|^package-lock\.json$|\.(sql|png|ico|woff2)$/;

/** Each word to avoid, with its replacement. */
const WORDS: readonly [word: string, replacement: string][] = [
  ['anew', 'again'],
  ['burden', 'load'],
  ['by way of', 'through'],
  ['had better', 'should'],
  ['hears of', 'is notified of'],
  ['held back', 'paused'],
  ['in hand', 'in flight'],
  ['is told', 'is notified, or is reported'],
  ['are told', 'are notified, or are reported'],
  ['lets rest', 'pauses'],
  ['mended', 'fixed'],
  ['none that', 'a plain negative: "not a cursor issued by this service"'],
  ['on its way', 'in flight'],
  ['Question', 'Query'],
  ['taken up', 'resumed'],
  ['whoever', 'the subject by name: the caller, the operator'],
];

/** Matches a word or phrase, also across the lines of a comment. A capital is matched as a capital. */
function patternOf(word: string): RegExp {
  const phrase = word.replaceAll(' ', '\\s+(?:(?:\\*|//|--)\\s+)?');
  return new RegExp(`\\b${phrase}\\b`, /[A-Z]/.test(word) ? 'g' : 'gi');
}

/** The words of camelCase, kebab-case and snake_case names, in the same lines. */
const separateNames = (text: string) =>
  text.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').replace(/(?<=[A-Za-z])[_-](?=[A-Za-z])/g, ' ');

function findWords(path: string, source: string): string[] {
  const text = separateNames(source);
  return WORDS.flatMap(([word, replacement]) =>
    [...text.matchAll(patternOf(word))].map(({ index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: "${word}"; write: ${replacement}`;
    }),
  );
}

test('no text has a word that the list replaces', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const found = files
    .filter((path) => !EXCLUDED.test(path))
    .flatMap((path) => findWords(path, readFileSync(join(ROOT, path), 'utf8')));
  assert.deepEqual(found, []);
});

/** How a comment begins that has no subject, or refers to the line before it. */
const FRAGMENT =
  /\/\*\*\s+(?:\* )?(?:Of|By|The same|So (?:many|few|much|far|long)|After|With|Without|Those|Its|Like|Also)\b/g;

test('a doc comment is a sentence with its subject', () => {
  const sources = globSync('{src,client/src,web,bench,scripts,conformance/src}/**/*.{ts,tsx,js}', {
    cwd: ROOT,
  });
  assert.ok(sources.length > 500);
  const found = sources.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return [...text.matchAll(FRAGMENT)].map(({ 0: beginning, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: begins with "${beginning.split(/\s+/).at(-1)}"`;
    });
  });
  assert.deepEqual(found, []);
});

test('a word is found in any case, in names, and across the lines of a comment', () => {
  const [[word, replacement] = ['', '']] = WORDS.filter(([one]) => one.includes(' '));
  const [first = '', ...rest] = word.split(' ');
  assert.deepEqual(findWords('a.ts', `x\n/* ${word.toUpperCase()} */`), [
    `a.ts:2: "${word}"; write: ${replacement}`,
  ]);
  const camelCase = word.replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase());
  assert.equal(findWords('a.ts', ` * ${first}\n * ${rest.join(' ')}`).length, 1);
  for (const name of [camelCase, word.replaceAll(' ', '_')])
    assert.equal(findWords('a.ts', `const ${name} = 1;`).length, 1, name);
  assert.equal(findWords('a.ts', `x${word}x`).length, 0);
});
