import { writeFileSync } from 'node:fs';
import { FAULTS, type PlantedFault, PROMISES, type Promised } from '../../test/faults/planted-faults.ts';

const linkOf = ({ checks, test }: PlantedFault): string =>
  checks.length > 0 ? '[kit](../proof/conformance/README.md)' : `[${nameOf(test)}](../${test})`;

const nameOf = (path: string) => path.replace(/^.*\/|(\.test)?\.\w+$/g, '');

const lineOf = ({ promise, faults }: Promised) =>
  `- ${promise} (${[...new Set(faults.map(linkOf))].join(', ')})\n`;

export function promisesPage(): string {
  const sections = Object.entries(PROMISES).map(
    ([subject, promises]) => `\n## ${subject}\n\n${promises.map(lineOf).join('')}`,
  );
  return `# Promises, tests and planted faults

The promises of README.md, SPEC.md, SECURITY.md and reliability.md. If a promise is broken, its tests (in brackets) fail. \`kit\` is the conformance kit.
\`npm run plant\` proves this with ${FAULTS.length} [planted faults](../test/faults/README.md).
${sections.join('')}`;
}

if (import.meta.main) writeFileSync(new URL('../../docs/promises.md', import.meta.url), promisesPage());
