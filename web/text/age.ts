import { wordLocale } from './language.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A time span in whole days, or in whole hours or minutes if it is shorter than two: "3 days". */
export function ageText(spanMs: number): string {
  const [unit, unitMs] = UNITS.find(([, ms]) => spanMs >= 2 * ms) ?? UNITS[2];
  return unitText(Math.floor(spanMs / unitMs), unit);
}

/** A number of a unit: "7 days". */
export const unitText = (count: number, unit: 'day' | 'hour' | 'minute'): string =>
  count.toLocaleString(wordLocale, { numberingSystem: 'latn', style: 'unit', unit, unitDisplay: 'long' });
