import { nearest } from '../../values/nearest.ts';

export function checkNames(
  kind: 'option' | 'filter' | 'parameter' | 'field',
  given: object,
  known: readonly string[],
  meantBy: readonly (readonly [RegExp, string])[] = [],
): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = meantBy.find(([others]) => others.test(unknown))?.[1] ?? nearest(unknown, known);
  throw new TypeError(
    `The ${kind} "${unknown}" is unknown${meant === undefined ? '.' : `: did you mean ${meant}?`} ` +
      `The ${kind}s are ${known.join(', ')}.`,
  );
}
