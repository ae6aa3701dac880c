import type { Fault } from './problem.ts';

const PAGE_SIZE_NAMES = /^(limit|size|count|per_?page|page_?size|page_?limit)$/i;

/** Reads the parameters of a query. Unknown and repeated ones are faults, and not among the values. */
export function readQuery(query: string, known: string[]): { values: Map<string, string>; faults: Fault[] } {
  const given = new URLSearchParams(query);
  const values = new Map<string, string>();
  const faults: Fault[] = [];
  for (const parameter of new Set(given.keys())) {
    const [value = '', ...others] = given.getAll(parameter);
    if (!known.includes(parameter)) {
      faults.push({ parameter, code: 'unknown_parameter', detail: explainUnknown(parameter, known) });
    } else if (others.length > 0) {
      faults.push({ parameter, code: 'duplicate_parameter', detail: `${parameter} is given more than once` });
    } else {
      values.set(parameter, value);
    }
  }
  return { values, faults };
}

function explainUnknown(parameter: string, known: string[]): string {
  const named = `There is no parameter ${JSON.stringify(parameter)}`;
  if (PAGE_SIZE_NAMES.test(parameter)) return `${named}: the page size is fixed at 10`;
  const [nearest] = known
    .map((name) => ({ name, edits: countEdits(parameter.toLowerCase(), name) }))
    .filter(({ name, edits }) => edits <= name.length / 2)
    .sort((a, b) => a.edits - b.edits);
  return nearest === undefined ? named : `${named}: did you mean ${nearest.name}?`;
}

/** The Levenshtein distance, by rows. */
function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const letter of a) {
    const next = [(row[0] ?? 0) + 1];
    for (const [index, other] of [...b].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
