import { ArgumentError } from './errors.ts';

/** The longest wait that timers of every platform keep. */
const MOST = 2 ** 31 - 1;

/** Throws: ArgumentError where an option is no whole number of at least `least`. */
export function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= MOST) return value;
  throw new ArgumentError(`${name} is not a whole number from ${least} to ${MOST}.`);
}
