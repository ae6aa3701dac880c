import { FOUND } from '../test/faults/found.ts';
import type { Promised } from '../test/faults/promised.ts';
import { FAULTS, PROMISES } from '../test/faults/promises.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

/** A promise, the files of the tests that find its faults, and how many faults there are. */
function rowOf({ promise, faults }: Promised): string {
  const files = [...new Set(faults.map(({ foundBy }) => foundBy.file))];
  const tests = files.map((file) => `[${file.split('/').at(-1)?.replace('.test.ts', '')}](../${file})`);
  return `| ${cell(promise)} | ${tests.join(', ')} | ${faults.length} |`;
}

/** docs/promises.md, generated from the table of planted faults. */
export function promisesPage(): string {
  const sections = Object.entries(PROMISES).map(
    ([subject, promises]) => `| **${subject}** | | |\n${promises.map(rowOf).join('\n')}\n`,
  );
  return `# Promises, tests and planted faults

What the service promises, the tests that fail if a promise is broken, and how many faults were planted to prove it: copies of the project in which one text of one
file is changed. \`npm run test:long -- --only faults\` plants all ${FAULTS.length} of them, and fails if a test does not notice one; \`npm test\` plants four, others with each commit;
\`npm run plant -- TEXT\` those whose name contains a text. [test/faults/promises](../test/faults/promises) has each fault, and where README.md, SPEC.md, SECURITY.md or
docs/reliability.md promises it.

\`npm run promises\` generates this page.

| promise | tests | planted faults |
|---|---|---|
${sections.join('')}`;
}

/** docs/found.md, generated from the table of faults that tests found. */
export function foundPage(): string {
  const rows = FOUND.map(({ fault, foundBy, corrected, planted }) => {
    return `| ${cell(fault)} | ${cell(foundBy)} | ${corrected} | ${planted ?? 'none yet'} |`;
  });
  return `# Faults that the tests found

Faults of this project that its own random, long or hostile tests found, newest first. \`npm run plant -- "FAULT"\` plants a fault of
the same kind in a copy of the project, and shows how the test fails that finds it now: [promises.md](promises.md).

| fault | found by | corrected | planted fault |
|---|---|---|---|
${rows.join('\n')}

\`npm run promises\` generates this page.
`;
}
