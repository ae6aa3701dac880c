import { FOUND } from '../test/faults/found.ts';
import type { Promised } from '../test/faults/promised.ts';
import { FAULTS, PROMISES } from '../test/faults/promises.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

/** 'SPEC.md: Cursors' as a link. */
function placeLink(place: string): string {
  const [document = '', text = ''] = place.split(/: (.*)/s);
  const path = document.startsWith('docs/') ? document.slice('docs/'.length) : `../${document}`;
  const anchor =
    document === 'SPEC.md'
      ? `#${text
          .toLowerCase()
          .replaceAll(/[^a-z0-9_ -]/g, '')
          .replaceAll(' ', '-')}`
      : '';
  return `[${document === 'SPEC.md' ? cell(text) : document}](${path}${anchor})`;
}

/** A promise with more faults has one row for all of them. */
const MAX_SHOWN_FAULTS = 10;

function rowsOf({ promise, in: places, faults }: Promised): string[] {
  const links = [...new Set(places.map(placeLink))].join(', ');
  if (faults.length > MAX_SHOWN_FAULTS) {
    const files = [...new Set(faults.map(({ foundBy }) => foundBy.file))];
    const tests = files.map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', ');
    return [
      `| ${cell(promise)}: ${links} | one for each statement, in ${tests} | ${faults.length} statements, each without its account |`,
    ];
  }
  return faults.map(({ name, file, foundBy }, index) => {
    const what = index === 0 ? `${cell(promise)}${links === '' ? '' : `: ${links}`}` : '';
    return `| ${what} | [${cell(foundBy.test)}](../${foundBy.file}) | ${cell(name)}: [${file.split('/').at(-1)}](../${file}) |`;
  });
}

/** docs/promises.md, generated from the table of planted faults. */
export function promisesPage(): string {
  const sections = Object.entries(PROMISES).map(
    ([subject, promises]) =>
      `## ${subject}\n\n| promise | the test that fails | planted fault |\n|---|---|---|\n${promises.flatMap(rowsOf).join('\n')}\n`,
  );
  return `# Promises, tests and planted faults

What the service promises, a test that fails if the promise is broken, and a fault that was planted to prove it: a copy of the project in which one text of one
file is changed. \`npm run test:long -- --only faults\` plants all ${FAULTS.length} of them, one after the other, and fails if a test does not notice its fault;
\`npm test\` plants a few, and \`npm run plant -- TEXT\` those whose name contains a text. The tables are in [test/faults/promises](../test/faults/promises), and a test fails if a promise of README.md, SPEC.md, SECURITY.md or
docs/reliability.md is not in them.

\`npm run promises\` generates this page.

${sections.join('\n')}`;
}

/** docs/found.md, generated from the table of faults that tests found. */
export function foundPage(): string {
  const rows = FOUND.map(({ fault, foundBy, corrected, planted }) => {
    const command = planted === null ? 'none is planted yet' : `\`npm run plant -- "${planted}"\``;
    return `| ${cell(fault)} | ${cell(foundBy)} | ${corrected} | ${command} |`;
  });
  return `# Faults that the tests found

Faults of this project that its own random, long or hostile tests found, newest first. The command plants a fault of the same kind in a copy of
the project, and shows how the test fails that finds it now: [promises.md](promises.md).

| fault | found by | corrected | the command that finds it again |
|---|---|---|---|
${rows.join('\n')}

\`npm run promises\` generates this page.
`;
}
