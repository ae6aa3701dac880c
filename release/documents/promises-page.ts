import { FAULTS, type PlantedFault, PROMISES, type Promised } from '../../test/faults/planted-faults.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

/** What finds a fault: checks of the kit, a test file, or the tests that are nearest to the changed file. */
function linkOf({ checks, test, file }: PlantedFault): string {
  if (checks.length > 0) return '[kit](../proof/conformance/README.md)';
  return test === undefined ? `tests of [${nameOf(file)}](../${file})` : `[${nameOf(test)}](../${test})`;
}

const nameOf = (path: string) => path.replace(/^.*\/|(\.test)?\.\w+$/g, '');

/** A promise, and what finds its faults. */
function rowOf({ promise, faults }: Promised): string {
  const tests = [...new Set(faults.map(linkOf))];
  return `| ${cell(promise)} | ${tests.join(', ')} |`;
}

/** docs/promises.md, generated from the table of planted faults. */
export function promisesPage(): string {
  const sections = Object.entries(PROMISES).map(
    ([subject, promises]) => `| **${subject}** | |\n${promises.map(rowOf).join('\n')}\n`,
  );
  return `# Promises, tests and planted faults

Each promise of README.md, SPEC.md, SECURITY.md and reliability.md, and the tests that fail if it is broken (\`kit\` is the conformance kit). One or two faults prove this for each: a fault changes one
text of one file, in a copy of the project or as the service loads it. [test/faults](../test/faults/README.md) has all ${FAULTS.length} and says how to plant them. What else stands behind the promises is in
[proof.md](proof.md).

\`npm run promises\` generates this page.

| promise | tests |
|---|---|
${sections.join('')}`;
}

const SECURITY_ROW = /^\| (?<promise>.+) \| (?<risk>(?:API\d+)?) \| ?(?<tests>.*?) ?\|$/gm;
/** A test that a row names by its title, beside those that are found here. */
const NAMED_TEST = /\[[^\]]+ [^\]]+\]\(test\/[^)]+\)/g;

/** SECURITY.md with the tests of each promise: those that find its planted faults, and those that it names. */
export const securityText = (text: string): string =>
  text.replaceAll(SECURITY_ROW, (_, promise: string, risk: string, tests: string) => {
    const ofRow = Object.values(PROMISES)
      .flat()
      .filter((one) => one.in.some((place) => `SECURITY.md: ${promise}`.startsWith(place)));
    const found = new Set(ofRow.flatMap(({ faults }) => faults.map(linkOf)));
    const links = [...found].map((link) => link.replaceAll('](../', ']('));
    return `| ${promise} | ${risk} | ${[...links, ...(tests.match(NAMED_TEST) ?? [])].join(', ')} |`;
  });
