import { failuresOf } from './failures.js';

/** @import { LevelResult } from '../index.js' */

/** @typedef {CheckResult} Result */

/**
 * To find out if a deployment offers a level, the kit requests the level's path. A 404 or 403 means that the
 * level is not offered. A level without a path here counts as offered.
 * @type {Partial<Record<Level, string>>}
 */
export const LEVEL_PATHS = {
  changes: '/v1/changes?limit=1',
  export: '/v1/transactions.csv?from=0001-01-01&to=0001-01-01',
  seals: '/v1/seal',
  search: '/v1/search?amount=0.01&to=0001-01-01',
  totals: '/v1/totals?from=0001-01-01&to=0001-01-01',
};

/** The section of SPEC.md that begins each level, in the order of SPEC.md. @type {Record<Level, string>} */
const SECTIONS = {
  list: 'transactions',
  retrieve: 'retrieve',
  search: 'search',
  changes: 'changes',
  seals: 'seals',
  totals: 'totals',
  export: 'exports',
  webhooks: 'webhooks',
  record: 'recording',
};

export const LEVELS = /** @type {Level[]} */ (Object.keys(SECTIONS));

/** @param {Result[]} results @returns {LevelResult[]} */
export function levelsOf(results) {
  return LEVELS.map((level) =>
    levelOf(
      level,
      results.filter((result) => result.level === level),
    ),
  ).filter(({ passed, failed, notJudged }) => passed + failed + notJudged > 0);
}

/** @param {Level} level @param {Result[]} results @returns {LevelResult} */
function levelOf(level, results) {
  const counts = countsOf(results);
  const base = { level, section: SECTIONS[level], ...counts };
  if (counts.mustFailed > 0) return { ...base, outcome: 'failed' };
  if (counts.passed + counts.failed > 0) return { ...base, outcome: 'passed' };
  return { ...base, outcome: 'not judged', reason: results[0]?.reason };
}

/** @param {Result[]} results @returns {Report['summary']} */
export function countsOf(results) {
  const of = (/** @type {Result['outcome']} */ outcome) => results.filter((one) => one.outcome === outcome);
  const [passed, failed, notJudged] = [of('passed'), of('failed'), of('not judged')];
  const mustFailed = failed.filter(({ requirement }) => requirement === 'MUST');
  return {
    passed: passed.length,
    failed: failed.length,
    notJudged: notJudged.length,
    mustFailed: mustFailed.length,
  };
}

/**
 * @param {LevelResult[]} levels @param {Result[]} results
 * @returns {{ level: Level, section: string } | undefined}
 */
export function nextOf(levels, results) {
  const failed = levels.find(({ outcome }) => outcome === 'failed');
  if (failed !== undefined) {
    const own = results.filter(({ level }) => level === failed.level);
    const [{ groups }] = failuresOf(own);
    return { level: failed.level, section: groups[0][0].section };
  }
  const absent = levels.find(({ reason }) => reason?.startsWith('the deployment '));
  if (absent !== undefined) return { level: absent.level, section: absent.section };
  const run = new Set(levels.map(({ level }) => level));
  const level = LEVELS.find((one) => !run.has(one));
  return level && { level, section: SECTIONS[level] };
}
