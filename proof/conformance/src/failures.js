/**
 * @template {CheckResult} Result @param {readonly Result[]} results
 * @returns {{ title: string, groups: Result[][] }[]}
 */
export function failuresOf(results) {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const must = failed.filter(({ requirement }) => requirement === 'MUST');
  const others = failed.filter(({ requirement }) => requirement !== 'MUST');
  return [
    { title: 'Required by the interface', groups: groupByCause(must) },
    { title: 'Choices of this service', groups: groupByCause(others) },
  ].filter(({ groups }) => groups.length > 0);
}

/** @template {CheckResult} Result @param {Result[]} failed */
function groupByCause(failed) {
  /** @type {Map<string, Result[]>} */
  const groups = new Map();
  for (const result of failed) {
    const cause = result.failure?.cause ?? result.id;
    groups.set(cause, [...(groups.get(cause) ?? []), result]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

/** @param {{ failed: number, mustFailed: number }} counts */
function showFailed({ failed, mustFailed }) {
  if (failed === 0) return '0 failed';
  return [`${mustFailed} MUST failed`, `${failed - mustFailed} SHOULD failed`]
    .filter((one) => !one.startsWith('0 '))
    .join(', ');
}

/** @param {{ passed: number, failed: number, mustFailed: number, notJudged: number }} counts */
export const showCounts = (counts) =>
  `${counts.passed} passed, ${showFailed(counts)}, ${counts.notJudged} not judged`;
