import { ArgumentError } from './errors.ts';

/** The longest wait that timers support on every platform. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export function wholeNumber(name: string, value: number, min: number, max = MAX_TIMER_MS): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ArgumentError(`${name} is not a whole number from ${min} to ${max}.`);
}
