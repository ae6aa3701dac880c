import { LEVELS } from '../levels.js';

/** The checks by level, a line for each. @param {readonly import('../../index.js').CheckInfo[]} checks */
export function formatChecks(checks) {
  const widest = Math.max(...checks.map(({ id }) => id.length));
  const line = (
    /** @type {import('../../index.js').CheckInfo} */ { id, requirement, rule, section, needs },
  ) => {
    const key =
      needs === undefined ? '' : ` Needs ${needs === 'operator' ? "an operator's" : 'a second'} key.`;
    return `  ${id.padEnd(widest)}  ${requirement.padEnd(6)}  ${rule} SPEC.md#${section}.${key}\n`;
  };
  return LEVELS.map((level) => ({ level, own: checks.filter((check) => check.level === level) }))
    .filter(({ own }) => own.length > 0)
    .map(({ level, own }) => `${level}: ${own.length} checks\n${own.map(line).join('')}`)
    .join('\n');
}
