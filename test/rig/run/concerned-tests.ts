import { importDistances } from './import-graph.ts';

/** Folders of code that tests start as a process or in a browser, with the folder of these tests. */
const STARTED_BY: Readonly<Record<string, string>> = {
  'bin/': 'test/cli/',
  'src/cli/': 'test/cli/',
  'client/commands/': 'test/cli/',
  'client/src/': 'test/client/',
  'values/terminal/': 'test/cli/',
  'proof/conformance/': 'test/conformance/',
  'src/db/postgres/migrations/': 'test/store/',
  'src/db/sqlite/migrations/': 'test/store/',
  'web/': 'test/page/',
};

/** The distance of a test from the code that it starts. A test of the whole service is as far from a rule. */
const STARTED_DISTANCE = 6;
/** Each word that the two paths share makes the distance this much shorter. */
const SAME_WORD = 2;
/** Words that many paths have. */
const GENERAL_WORDS = new Set(['http', 'index', 'long', 'main', 'postgres', 'sqlite', 'src', 'test', 'ts']);

/**
 * The test files that changed files concern, nearest first. A short chain of imports to a changed file and
 * shared words in the paths make a test near. Paths begin at the root of the repository.
 */
export function concernedTests(tests: readonly string[], changed: readonly string[]): string[] {
  const near = tests.map((file) => ({ file, distance: distanceTo(file, changed) }));
  return near
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distance - b.distance || (a.file < b.file ? -1 : 1))
    .map(({ file }) => file);
}

/** A transcript concerns the test beside it. */
function distanceTo(test: string, changed: readonly string[]): number {
  const imported = importDistances(test);
  const words = wordsOf(test);
  const distances = changed.map((file) => {
    const distance =
      imported.get(file.replace(/\.txt$/, '.test.ts')) ??
      (isStartedBy(test, file) ? STARTED_DISTANCE : undefined);
    if (distance === undefined) return Number.POSITIVE_INFINITY;
    return distance - SAME_WORD * wordsOf(file).intersection(words).size;
  });
  return Math.min(...distances);
}

const isStartedBy = (test: string, file: string) =>
  Object.entries(STARTED_BY).some(([folder, tests]) => file.startsWith(folder) && test.startsWith(tests));

const wordsOf = (path: string) => new Set(path.split(/\W+/)).difference(GENERAL_WORDS);
