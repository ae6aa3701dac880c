import { FAULTS, PROMISES, type Promised } from '../test/faults/planted-faults.ts';

const KIT = 'conformance/README.md';
const cell = (text: string) => text.replaceAll('|', '\\|');

const nameOf = (file: string) =>
  file === KIT ? 'the conformance kit' : file.split('/').at(-1)?.replace('.test.ts', '');

/** A promise, the files of the tests that find its faults, and how many faults there are. */
function rowOf({ promise, faults }: Promised): string {
  const files = [...new Set(faults.map(({ checks, test }) => (checks.length > 0 ? KIT : test)))];
  const tests = files.map((file) => `[${nameOf(file)}](../${file})`);
  return `| ${cell(promise)} | ${tests.join(', ')} | ${faults.length} |`;
}

/** docs/promises.md, generated from the table of planted faults. */
export function promisesPage(): string {
  const sections = Object.entries(PROMISES).map(
    ([subject, promises]) => `| **${subject}** | | |\n${promises.map(rowOf).join('\n')}\n`,
  );
  return `# Promises, tests and planted faults

Each promise of README.md, SPEC.md, SECURITY.md and reliability.md, the tests that fail if it is broken, and how many faults prove this: each changes one text of one file in a copy of the project.
\`npm run plant -- TEXT\` plants those whose name, file or check contains a text, \`npm run test:long -- --only faults\` all ${FAULTS.length}. They are in [test/faults](../test/faults/README.md).

\`npm run promises\` generates this page.

| promise | tests | planted faults |
|---|---|---|
${sections.join('')}`;
}
