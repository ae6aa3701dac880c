/** @typedef {import('../../index.js').Result} Result */

/**
 * What failed, by what the interface says about it: what it requires comes first.
 * @param {readonly Result[]} results
 * @returns {{ title: string, results: Result[], groups: Result[][] }[]}
 */
export function failuresOf(results) {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const kinds = [
    {
      title: 'Required by the interface',
      results: failed.filter(({ requirement }) => requirement === 'MUST'),
    },
    { title: 'Choices of this service', results: failed.filter(({ requirement }) => requirement !== 'MUST') },
  ];
  return kinds
    .filter(({ results: of }) => of.length > 0)
    .map((kind) => ({ ...kind, groups: groupByCause(kind.results) }));
}

/** What most checks fail for comes first; a failure without a cause is alone. @param {Result[]} failed */
function groupByCause(failed) {
  /** @type {Map<string, Result[]>} */
  const groups = new Map();
  for (const result of failed) {
    const cause = result.failure?.cause ?? result.id;
    groups.set(cause, [...(groups.get(cause) ?? []), result]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}
