import { locale } from '../text/language.ts';

const STEPS = 3;

export const cutTo = (ticks: readonly number[], compared: readonly number[]): number[] =>
  compared.map((one) => Math.min(ticks.at(-1) as number, Math.max(ticks[0] as number, one)));

export function ticksOf(amounts: readonly number[]): number[] {
  const low = Math.min(0, ...amounts);
  const high = Math.max(0, ...amounts);
  if (low === high) return [0];
  const step = roundStep((high - low) / STEPS);
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((one) => one * power >= least * 0.999) ?? 10;
  return factor * power;
}

const full = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, numberingSystem: 'latn' });
const compact = new Intl.NumberFormat(locale, {
  notation: 'compact',
  maximumFractionDigits: 2,
  numberingSystem: 'latn',
});

/** All texts have the same form, such as 2,500 or 2.5K. */
export function tickTexts(ticks: readonly number[]): string[] {
  const largest = Math.max(...ticks.map(Math.abs));
  const format = largest < 10_000 ? full : compact;
  return ticks.map((tick) => {
    const text =
      largest < 1e15 || tick === 0 ? format.format(tick) : Number(tick.toPrecision(3)).toExponential();
    return text.replace('-', '\u2212').replace('e+', 'E');
  });
}
