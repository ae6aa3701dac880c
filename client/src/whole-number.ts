import { ArgumentError } from './errors.ts';

/** The longest wait that the timers of every platform support. */
const MAX = 2 ** 31 - 1;

/** Throws: ArgumentError if an option is not a whole number of at least `min`. */
export function wholeNumber(name: string, value: number, min: number): number {
  if (Number.isInteger(value) && value >= min && value <= MAX) return value;
  throw new ArgumentError(`${name} is not a whole number from ${min} to ${MAX}.`);
}
