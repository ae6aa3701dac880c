/** These characters change the text direction. Some languages put them around a minus sign. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const DIGIT = /\p{Nd}/u;

/** In Unicode, the decimal digits of a script are consecutive, from zero. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) as number;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

export const withLatinDigits = (text: string): string => text.replaceAll(/(?![0-9])\p{Nd}/gu, digitOf);

export const normalisedNumber = (text: string): string =>
  withLatinDigits(text.normalize('NFKC'))
    .replaceAll(DIRECTIONS, '')
    .replaceAll(/[\u2212\u2010-\u2015]/g, '-')
    .replaceAll(/[\u2018\u2019\u02bc\u00b4`\u066c]/g, "'")
    .replace('\u066b', ';')
    .replaceAll(/\s/g, ' ');

/** Defined here, because `amount.ts` would bring its list of currencies into the page. */
const MAX_DIGITS = 13;
/** "149,-" and "149.--" have no cents. */
const NO_CENTS = /[.,]-{1,2}$/;
/** Groups of three digits, or Indian groups: 12,34,567. The number does not begin with 0. */
const GROUPS = /^(?:[1-9]\d{0,2}(?:\D\d{3})+|[1-9]\d?(?:\D\d{2})+\D\d{3})$/;

/**
 * Returns all readings, the most likely first: 1500.00 and 1.50 for "1.500". Empty if the text is no number.
 */
export function readWrittenAmount(text: string): string[] {
  const [, sign = '', number = ''] =
    /^([+-]?)(\d[\d.,;' ]*)$/.exec(normalisedNumber(text).replace(NO_CENTS, '')) ?? [];
  const readings = [wholeOf(number), decimalOf(number)]
    .filter((reading) => reading !== undefined)
    .map((reading) => {
      const [whole = '', decimals = ''] = reading.replace(/^0+(?=\d)/, '').split('.');
      return { whole, amount: `${whole}.${decimals.padEnd(2, '0')}` };
    })
    .filter(({ whole }) => whole.length <= MAX_DIGITS);
  return [
    ...new Set(readings.map(({ amount }) => (sign === '-' && /[1-9]/.test(amount) ? `-${amount}` : amount))),
  ];
}

/** Returns 1500 for "1500" and "1.500". Returns undefined for "1.50", which can't be a whole number. */
export function wholeOf(number: string): string | undefined {
  const separators = new Set(number.replaceAll(/\d/g, ''));
  if (separators.size === 0) return number === '' ? undefined : number;
  return separators.size === 1 && !separators.has(';') && GROUPS.test(number)
    ? number.replaceAll(/\D/g, '')
    : undefined;
}

function decimalOf(number: string): string | undefined {
  const [, whole = '', separator = '', decimals = ''] = /^(.*\d)([.,;])(\d{1,2})0*$/.exec(number) ?? [];
  const isGrouped = /\D/.test(whole);
  if (decimals === '' || whole.includes(separator)) return undefined;
  return isGrouped && wholeOf(whole) === undefined ? undefined : `${whole.replaceAll(/\D/g, '')}.${decimals}`;
}
