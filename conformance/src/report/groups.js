/** @typedef {import('../../index.js').CheckResult} CheckResult */

/**
 * What failed, by what the interface says about it: what it requires comes first.
 * @template {CheckResult} Result @param {readonly Result[]} results
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

/** What most checks fail for comes first; a failure without a cause is alone. @template {CheckResult} Result @param {Result[]} failed */
function groupByCause(failed) {
  /** @type {Map<string, Result[]>} */
  const groups = new Map();
  for (const result of failed) {
    const cause = result.failure?.cause ?? result.id;
    groups.set(cause, [...(groups.get(cause) ?? []), result]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

/** How many failed, and how many of these the interface requires. @param {{ failed: number, mustFailed: number }} counts */
export function showFailed({ failed, mustFailed }) {
  if (failed === 0) return '0 failed';
  return [`${mustFailed} MUST failed`, `${failed - mustFailed} SHOULD failed`]
    .filter((one) => !one.startsWith('0 '))
    .join(', ');
}

/** @param {{ passed: number, failed: number, mustFailed: number, notJudged: number }} counts */
export const showCounts = (counts) =>
  `${counts.passed} passed, ${showFailed(counts)}, ${counts.notJudged} not judged`;
