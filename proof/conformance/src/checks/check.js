import { sentenceOf } from '../sentences.js';

/**
 * @typedef {CheckInfo & { run: (t: Context) => Promise<void>, isLast?: boolean }}
 * Check isLast: judges all responses of the run, so it runs after the other checks
 */

/**
 * The checks of one part of the interface; each has at least an id, a rule and run. @param {{ level:
 * Level, section: string, isLast?: boolean, needs?: 'second key' | 'operator' }}
 * common @param {(Omit<Check, 'level' | 'section' | 'sentence' | 'requirement'> & Partial<Check>)[]} checks
 * MUST, unless they say otherwise @returns {Check[]}
 */
export const checksOf = (common, checks) =>
  checks.map((check) => ({ requirement: 'MUST', ...common, ...check, sentence: sentenceOf(check.id) }));
