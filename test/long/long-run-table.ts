/** What a part of the long run found. */
export interface Found {
  howMuch: string;
  /** How often the promise was broken, or how to see it again. */
  broken: string;
}

export interface Row extends Found {
  promise: string;
  /** When, and on which state of the code. */
  measured: string;
}

const HEAD = '| promise | checked by | broken | measured |\n|---|---|---|---|';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

const lineOf = ({ promise, howMuch, broken, measured }: Row) =>
  `| ${[promise, howMuch, broken, measured].map(cell).join(' | ')} |`;

const promiseOf = (line: string) => line.slice(2).split(' | ')[0];

export function longRunTable(rows: readonly Row[]): string {
  return [HEAD, ...rows.map(lineOf)].join('\n');
}

/**
 * The document of the long run with new rows in it. The parts of a long run may be run on different days: a row
 * stands until its promise is checked again. Rows of promises that are no longer made are left out.
 */
export function longRunDocument(
  earlier: string,
  rows: readonly Row[],
  { promises, machine }: { promises: readonly string[]; machine: string },
): string {
  const lines = new Map<string | undefined, string>();
  for (const line of earlier.split('\n')) if (line.startsWith('| ')) lines.set(promiseOf(line), line);
  for (const row of rows) lines.set(cell(row.promise), lineOf(row));
  const table = promises.map((promise) => lines.get(cell(promise))).filter((line) => line !== undefined);
  return `# The long run

Written by \`npm run verify:long\`. Each row tells when it was measured, and on which commit; the last machine was ${machine}.
What is promised, and the short forms that run with every change, stand in [reliability.md](reliability.md).

${[HEAD, ...table].join('\n')}
`;
}
