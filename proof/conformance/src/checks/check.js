import { sentenceOf } from '../sentences.js';

/**
 * A check with `isLast` judges all responses of the run, so it runs after all other checks.
 * @typedef {CheckInfo & { run: (t: Context) => Promise<void>, isLast?: boolean }} Check
 */

/**
 * A check without a requirement is a MUST.
 * @param {{ level: Level, section: string, isLast?: boolean, needs?: 'second key' | 'operator' }} common
 * @param {(Omit<Check, 'level' | 'section' | 'sentence' | 'requirement'> & Partial<Check>)[]} checks
 * @returns {Check[]}
 */
export const checksOf = (common, checks) =>
  checks.map((check) => ({ requirement: 'MUST', ...common, ...check, sentence: sentenceOf(check.id) }));
