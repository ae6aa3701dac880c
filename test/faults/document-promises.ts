import { readFileSync } from 'node:fs';
import { ROOT } from './source-change.ts';

const read = (document: string) => readFileSync(ROOT + document, 'utf8');

/** The lines of a section, up to the next heading of the same level. */
function sectionOf(document: string, heading: string): string[] {
  const [, section = ''] = read(document).split(`\n## ${heading}\n`);
  return (section.split('\n## ')[0] ?? '').split('\n');
}

/** The items of all lists in some lines. */
const itemsOf = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2));

/** Each document's promises: the beginning of each line that makes one, without links. */
const LINES: Readonly<Record<string, () => string[]>> = {
  'README.md': () => itemsOf(sectionOf('README.md', 'What it guarantees')),
  'SPEC.md': () =>
    [...read('SPEC.md').matchAll(/^#{2,3} (.+)$/gm)]
      .map(([, heading = '']) => heading)
      .filter((heading) => heading !== 'What may change'),
  'SECURITY.md': () => itemsOf(sectionOf('SECURITY.md', 'What is promised')),
  'docs/reliability.md': () => itemsOf(read('docs/reliability.md').split('\n')),
};

/** Each line that makes a promise, after its document's name: 'SPEC.md: Cursors'. */
export const promiseLines = (): string[] =>
  Object.entries(LINES).flatMap(([document, lines]) => lines().map((line) => `${document}: ${line}`));
