import { ArgumentError } from './errors.ts';

export const AMOUNT = /^(?!-0\.00$)(-?)(0|[1-9]\d*)\.(\d{2})$/;

/**
 * Converts an amount to whole hundredths. Every currency has hundredths here, even JPY.
 *
 * @example toMinorUnits('12.50') // 1250n
 * @throws ArgumentError if the text is not an amount as the service writes it.
 */
export function toMinorUnits(amount: string): bigint {
  const [, sign, whole = '', decimals = ''] = AMOUNT.exec(amount) ?? [];
  if (sign === undefined) throw new ArgumentError('The amount is not a decimal number with two decimals.');
  const minor = BigInt(whole + decimals);
  return sign === '' ? minor : -minor;
}

/**
 * @example fromMinorUnits(1250n) // '12.50'
 * @throws ArgumentError if the value is not a bigint.
 */
export function fromMinorUnits(minor: bigint): string {
  if (typeof minor !== 'bigint') throw new ArgumentError('The amount is not a bigint, such as 1250n.');
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
