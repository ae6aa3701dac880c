import { failuresOf, showCounts } from './failures.js';
import { LEVELS } from './levels.js';

/** @import { Result } from '../index.js' */

const MARKS = { passed: 'passed    ', failed: 'FAILED    ', 'not judged': 'not judged' };

/**
 * Text from the deployment could control a terminal, so its control characters are escaped.
 * @param {string} text
 */
export const printable = (text) =>
  text.replace(
    /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** @param {CheckResult} result */
export const progressLine = ({ outcome, requirement, id }) =>
  `${MARKS[outcome]}  ${requirement.padEnd(6)}  ${id}\n`;

/** @type {Record<'text' | 'json', (report: Report) => string>} */
const FORMATS = {
  text: textReport,
  json: (report) => `${printable(JSON.stringify(report, null, 2))}\n`,
};

/** @param {Report} report @param {keyof typeof FORMATS} format */
export const formatReport = (report, format) => FORMATS[format](report);

/** @param {Report} report */
function textReport({ url, kit, seed, requests, durationMs, stopped, results, summary, ...report }) {
  const notJudged = results.filter(({ outcome }) => outcome === 'not judged');
  const head = levelLines(report);
  const lines = [`Conformance of ${url}`, '', ...head, ...(head.length > 0 ? [''] : [])];
  for (const { title, groups } of failuresOf(results))
    lines.push(`${title}:`, '', ...groups.flatMap((group) => [...groupLines(group), '']));
  if (notJudged.length > 0) lines.push('Not judged:', ...notJudgedLines(notJudged), '');
  if (stopped !== undefined) lines.push(stopped);
  if (results.length > 0) lines.push(showCounts(summary));
  lines.push(`${requests} requests in ${(durationMs / 1000).toFixed(1)} s, seed ${seed}, version ${kit}`);
  return `${lines.map(printable).join('\n')}\n`;
}

/** @param {Result[]} group */
function groupLines(group) {
  const [first] = group;
  if (group.length === 1) return [`FAILED  ${first.requirement}  ${first.id}`, ...failureLines(first)];
  return [
    `FAILED  ${first.failure?.cause}: ${group.length} checks`,
    ...idLines(group.map(({ id }) => id)),
    `  such as   ${first.id}`,
    ...failureLines(first),
  ];
}

/** @param {Result} result */
function failureLines({ link, sentence, rule, failure }) {
  return [
    `  rule      ${rule} (${link})`,
    ...(sentence === undefined ? [] : [`  spec      ${sentence}`]),
    `  expected  ${failure?.expected}`,
    `  got       ${failure?.got}`,
    ...(failure?.curl === undefined ? [] : [`  try       ${failure.curl}`]),
  ];
}

/** @param {Pick<Report, 'levels' | 'next'>} report */
function levelLines({ levels, next }) {
  const lines = levels.map(({ level, outcome, reason, ...counts }) => {
    const why = reason ?? showCounts(counts);
    return `  ${level.padEnd(8)}  ${MARKS[outcome]}  ${why}`;
  });
  return next === undefined ? lines : [...lines, '', `Next: ${next.level}, ${next.link}`];
}

const LINE = 100;

/** @param {Result[]} results */
function notJudgedLines(results) {
  /** @type {Map<string, string[]>} */
  const ids = new Map();
  for (const { id, reason = '' } of results) ids.set(reason, [...(ids.get(reason) ?? []), id]);
  return [...ids].flatMap(([reason, of]) => [`  ${reason}`, ...idLines(of)]);
}

/** @param {string[]} ids */
function idLines(ids) {
  const lines = [''];
  for (const id of ids) {
    const last = lines[lines.length - 1];
    if (last.length + id.length < LINE)
      lines[lines.length - 1] = last === '' ? `    ${id}` : `${last}, ${id}`;
    else lines.push(`    ${id}`);
  }
  return lines;
}

/** @param {readonly CheckInfo[]} checks */
export function formatChecks(checks) {
  const widest = Math.max(...checks.map(({ id }) => id.length));
  const line = (/** @type {CheckInfo} */ { id, requirement, rule, section, needs }) => {
    const key =
      needs === undefined ? '' : ` Needs ${needs === 'operator' ? "an operator's" : 'a second'} key.`;
    return `  ${id.padEnd(widest)}  ${requirement.padEnd(6)}  ${rule} SPEC.md#${section}.${key}\n`;
  };
  return LEVELS.map((level) => ({ level, own: checks.filter((check) => check.level === level) }))
    .filter(({ own }) => own.length > 0)
    .map(({ level, own }) => `${level}: ${own.length} checks\n${own.map(line).join('')}`)
    .join('\n');
}
