import { sentenceOf } from '../sentences.js';

/**
 * A check with `isLast` judges all responses of the run, so it runs after all other checks.
 * @typedef {CheckInfo & { run: (t: Context) => Promise<void>, isLast?: boolean }} Check
 */

/**
 * A check has either `run` or `record`. For `record`, the kit makes an account, named after the check.
 * @typedef {Omit<Check, 'level' | 'section' | 'sentence' | 'requirement' | 'run'> & Partial<Check> & {
 *   record?: (t: Context, account: OwnAccount) => Promise<void> }} PartialCheck
 */

/**
 * @param {{ level: Level, section: string, isLast?: boolean, needs?: 'second key' | 'operator' }} common
 * @param {PartialCheck[]} checks
 * @returns {Check[]}
 */
export const checksOf = (common, checks) =>
  checks.map(({ record, ...check }) => ({
    requirement: 'MUST',
    run: async (t) => record?.(t, await t.account(check.id)),
    ...common,
    ...check,
    sentence: sentenceOf(check.id),
  }));
