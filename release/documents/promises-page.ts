import { FAULTS, type PlantedFault, PROMISES, type Promised } from '../../test/faults/planted-faults.ts';

/** Links to what finds a fault: checks of the kit, a test file, or the tests nearest to the changed file. */
function linkOf({ checks, test, file }: PlantedFault): string {
  if (checks.length > 0) return '[kit](../proof/conformance/README.md)';
  const path = test ?? file;
  return `[${nameOf(path)}](../${path})`;
}

const nameOf = (path: string) => path.replace(/^.*\/|(\.test)?\.\w+$/g, '');

/** A promise, and the checks and tests that find its faults. */
const lineOf = ({ promise, faults }: Promised) =>
  `- ${promise} (${[...new Set(faults.map(linkOf))].join(', ')})\n`;

/** docs/promises.md, generated from the planted faults. */
export function promisesPage(): string {
  const sections = Object.entries(PROMISES).map(
    ([subject, promises]) => `\n## ${subject}\n\n${promises.map(lineOf).join('')}`,
  );
  return `# Promises, tests and planted faults

Each promise of README.md, SPEC.md, SECURITY.md and reliability.md, and in brackets the tests that fail if it is broken: the conformance kit, a test file, or the tests beside a source file. One or two
faults prove this for each: a fault changes one text of one file, in a copy of the project or as the service loads it. [test/faults](../test/faults/README.md) has all ${FAULTS.length} and says how to plant
them. What else stands behind the promises is in [proof.md](proof.md).

\`npm run promises\` generates this page.
${sections.join('')}`;
}
