import { readFileSync } from 'node:fs';
import { ROOT } from './source-change.ts';

const read = (document: string) => readFileSync(ROOT + document, 'utf8');

function sectionOf(document: string, heading: string): string[] {
  const [, section = ''] = read(document).split(`\n## ${heading}\n`);
  return (section.split('\n## ')[0] ?? '').split('\n');
}

const itemsOf = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2));

const LINES: Readonly<Record<string, () => string[]>> = {
  'README.md': () => itemsOf(sectionOf('README.md', 'What it guarantees')),
  'SPEC.md': () =>
    [...read('SPEC.md').matchAll(/^#{2,3} (.+)$/gm)]
      .map(([, heading = '']) => heading)
      .filter((heading) => heading !== 'What may change'),
  'SECURITY.md': () => itemsOf(sectionOf('SECURITY.md', 'What is promised')),
  'docs/reliability.md': () => itemsOf(read('docs/reliability.md').split('\n')),
};

export const promiseLines = (): string[] =>
  Object.entries(LINES).flatMap(([document, lines]) => lines().map((line) => `${document}: ${line}`));
