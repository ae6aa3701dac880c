/** The result of one part of the long run. */
export interface PartResult {
  howMuch: string;
  /** How often the promise was broken, or the command that reproduces a violation. */
  broken: string;
}

export interface Row extends PartResult {
  promise: string;
  /** The day and the commit. */
  measured: string;
}

const HEAD = '| promise | checked by | broken | measured |\n|---|---|---|---|';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

const lineOf = ({ promise, howMuch, broken, measured }: Row) =>
  `| ${[promise, howMuch, broken, measured].map(cell).join(' | ')} |`;

const promiseOf = (line: string) => line.slice(2).split(' | ')[0];

/** The row of a promise in the document. */
export function rowOf(document: string, promise: string): Row | undefined {
  const line = document.split('\n').find((one) => one.startsWith('| ') && promiseOf(one) === cell(promise));
  const [, howMuch, broken, measured] = line?.slice(2, -2).split(' | ') ?? [];
  if (howMuch === undefined || broken === undefined || measured === undefined) return undefined;
  return { promise, howMuch, broken, measured };
}

export function longRunTable(rows: readonly Row[]): string {
  return [HEAD, ...rows.map(lineOf)].join('\n');
}

/**
 * Adds rows to the document of the long run. The parts can run on different days: a row stays until its promise is
 * checked again. Rows of promises that no longer exist are removed.
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

Written by \`npm run test:long\`. Each row has its day and commit. The last run was on ${machine}.
The promises, and the short tests that run with every change, are in [reliability.md](reliability.md).

${[HEAD, ...table].join('\n')}
`;
}
