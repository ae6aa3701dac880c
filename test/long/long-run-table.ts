/** What a part did, by what it is, for example 'kills'. The size of the part is counted in the first of them. */
export type Counts = Readonly<Record<string, number>>;

/** The result of one run of a part. */
export interface PartResult {
  counts: Counts;
  /** How many seeds it used. */
  seeds: number;
  /** What cannot be added to other runs. */
  figures: string;
  /** How often the promise was broken, or the command that reproduces a violation. */
  broken: string;
}

/** All runs of a part. */
export interface Row {
  promise: string;
  counts: Counts;
  seeds: { first: number; last: number } | null;
  /** Of the last run. */
  figures: string;
  broken: string;
  /** The days of the first and the last run. */
  from: string;
  to: string;
  /** Of the last run. */
  commit: string;
}

export interface Run {
  promise: string;
  result: PartResult;
  firstSeed: number;
  day: string;
  commit: string;
}

const HEAD =
  '| promise | checked by, in all runs | seeds | last run | broken | measured |\n|---|---|---|---|---|---|';
const NONE = '-';

const format = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 });
const parse = (text: string) => Number(text.replaceAll(',', ''));

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ') || NONE;

const NUMBER = '[\\d,.]*\\d';

function formatCounts(counts: Counts, goal: number | undefined): string {
  const total = goal === undefined ? '' : ` of ${format(goal)}`;
  return Object.entries(counts)
    .map(([what, count], index) => `${format(count)}${index === 0 ? total : ''} ${what}`)
    .join(', ');
}

function parseCounts(text: string): Counts {
  const found = text.matchAll(new RegExp(`(${NUMBER}) (?:of ${NUMBER} )?(.+?)(?=, \\d|$)`, 'g'));
  return Object.fromEntries([...found].map(([, count = '', what = '']) => [what, parse(count)]));
}

const span = (from: string, to: string) => (from === to ? from : `${from} to ${to}`);

function lineOf(row: Row, goal: number | undefined): string {
  const { promise, counts, seeds, figures, broken, from, to, commit } = row;
  const used = seeds === null ? NONE : span(format(seeds.first), format(seeds.last));
  const cells = [promise, formatCounts(counts, goal), used, figures, broken, `${span(from, to)}, ${commit}`];
  return `| ${cells.map(cell).join(' | ')} |`;
}

function rowOfLine(line: string): Row {
  const [promise = '', counts = '', seeds = '', figures = '', broken = '', measured = ''] = line
    .slice(2, -2)
    .split(' | ');
  const [, first, last = first] = new RegExp(`^(${NUMBER})(?: to (${NUMBER}))?$`).exec(seeds) ?? [];
  const [, from = '', to = from, commit = ''] = /^(\S+?)(?: to (\S+))?, (\S+)$/.exec(measured) ?? [];
  return {
    promise,
    counts: parseCounts(counts),
    seeds: first === undefined || last === undefined ? null : { first: parse(first), last: parse(last) },
    figures,
    broken,
    from,
    to,
    commit,
  };
}

/** The rows of the document, by their promises. */
export function rowsOf(document: string): Map<string, Row> {
  const lines = document.split('\n').filter((line) => line.startsWith('| ') && !HEAD.startsWith(line));
  return new Map(lines.map(rowOfLine).map((row) => [row.promise, row]));
}

/** The row of a promise in the document. */
export const rowOf = (document: string, promise: string): Row | undefined =>
  rowsOf(document).get(cell(promise));

/**
 * Adds a run to the earlier ones. One that broke the promise counts nothing, so that the next run has its seeds again.
 */
export function addRun(earlier: Row | undefined, { promise, result, firstSeed, day, commit }: Run): Row {
  const { broken, figures } = result;
  const ran = { promise: cell(promise), figures, broken, from: earlier?.from ?? day, to: day, commit };
  const known = { counts: earlier?.counts ?? {}, seeds: earlier?.seeds ?? null };
  if (broken !== '0') return { ...ran, ...known };
  const counts = { ...result.counts };
  for (const [what, count] of Object.entries(known.counts))
    if (what in counts) counts[what] = (counts[what] ?? 0) + count;
  if (result.seeds === 0) return { ...ran, ...known, counts };
  const seeds = {
    first: Math.min(known.seeds?.first ?? firstSeed, firstSeed),
    last: Math.max(known.seeds?.last ?? 0, firstSeed + result.seeds - 1),
  };
  return { ...ran, counts, seeds };
}

export function longRunTable(rows: readonly Row[], goals: ReadonlyMap<string, number>): string {
  return [HEAD, ...rows.map((row) => lineOf(row, goals.get(row.promise)))].join('\n');
}

/**
 * Writes rows into the document of the long run. The parts can run on different days: a row stays until its promise is
 * checked again. Rows of promises that no longer exist are removed.
 */
export function longRunDocument(
  earlier: string,
  rows: readonly Row[],
  { promises, machine }: { promises: readonly { promise: string; goal: number }[]; machine: string },
): string {
  const all = rowsOf(earlier);
  for (const row of rows) all.set(cell(row.promise), row);
  const goals = new Map(promises.map(({ promise, goal }) => [cell(promise), goal]));
  const shown = [...goals.keys()].map((promise) => all.get(promise)).filter((row) => row !== undefined);
  return `# The long run

Written by \`npm run test:long\`. The counts add up over all runs that broke nothing, each of them with other seeds; a run that breaks a promise counts
nothing. \`--full --resume\` continues with what is left of them. *N* trials without a failure show, with 95 %, that fewer than one in *N* / 3 fails: so the goals are.
The last run was on ${machine}.
The promises, and the short tests that run with every change, are in [reliability.md](../../docs/reliability.md).

${longRunTable(shown, goals)}
`;
}
