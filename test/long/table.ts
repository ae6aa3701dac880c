import type { Part, PartResult } from './part.ts';

interface Row {
  /** The count of all runs that broke nothing. The next run uses the seeds after these. */
  count: number;
  /** The figures of the last run. */
  figures: string;
  day: string;
  commit: string;
}

export interface Run {
  /** Undefined if the run broke the part's promise. */
  result: PartResult | undefined;
  day: string;
  commit: string;
}

const HEAD = '| part | promise | checked in all runs | last run | measured |\n|---|---|---|---|---|';
const BROKEN = '**broken**';

const format = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });

export function rowOf(document: string, { name }: Pick<Part, 'name'>): Row | undefined {
  const line = document.split('\n').find((one) => one.startsWith(`| ${name} |`));
  const [, , checked = '', figures = '', measured = ''] = line?.split(' | ') ?? [];
  if (line === undefined) return undefined;
  const [day = '', commit = ''] = measured.replace(' |', '').split(', ');
  const count = Number(checked.split(' of ')[0]?.replaceAll(',', ''));
  return { count, figures, day, commit };
}

/** Adds a run. If it broke the promise, it adds nothing, and the next run repeats its seeds. */
export function addRun(earlier: Row | undefined, { result, day, commit }: Run): Row {
  const count = (earlier?.count ?? 0) + (result?.count ?? 0);
  return {
    count,
    figures: result === undefined ? BROKEN : (result.figures ?? '-'),
    day,
    commit,
  };
}

const lineOf = ({ name, promise, counted, goal }: Part, { count, figures, day, commit }: Row) =>
  `| ${name} | ${promise} | ${format(count)} of ${format(goal)} ${counted} | ${figures} | ${day}, ${commit} |`;

/** The document with the rows of all parts. Omits the rows of parts that no longer exist. */
export function documentOf(parts: readonly Part[], rows: ReadonlyMap<string, Row>, machine: string): string {
  const lines = parts.flatMap((part) => {
    const row = rows.get(part.name);
    return row === undefined ? [] : lineOf(part, row);
  });
  return `# The long run

Written by \`npm run test:long\`, last on ${machine}.
Counts add up over all runs, each with other seeds; one that breaks its promise counts nothing. *N* trials without a failure show, with 95 %, that fewer than one in *N* / 3 fails.

${[HEAD, ...lines].join('\n')}
`;
}
