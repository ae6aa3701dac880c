import { wordLocale } from './language.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `createdAt` may be up to a day in the future. The age is then "0 minutes". */
export function ageText(spanMs: number): string {
  const [unit, unitMs] = UNITS.find(([, ms]) => spanMs >= 2 * ms) ?? UNITS[2];
  return unitText(Math.max(0, Math.floor(spanMs / unitMs)), unit);
}

export const unitText = (count: number, unit: 'day' | 'hour' | 'minute'): string =>
  count.toLocaleString(wordLocale, { numberingSystem: 'latn', style: 'unit', unit, unitDisplay: 'long' });
