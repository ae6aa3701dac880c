import { ArgumentError } from './errors.ts';

const AMOUNT = /^(-?)(\d+)\.(\d{2})$/;

/**
 * An amount as an exact integer of hundredths, whatever the currency: "12.50" is 1250n, and so is 12.50 JPY.
 *
 * Throws: ArgumentError where the text is no amount of the service.
 */
export function toMinorUnits(amount: string): bigint {
  const [, sign, whole = '', decimals = ''] = AMOUNT.exec(amount) ?? [];
  if (sign === undefined) throw new ArgumentError('The amount is not a decimal number with two decimals.');
  const minor = BigInt(whole + decimals);
  return sign === '' ? minor : -minor;
}

/** The amount of so many hundredths, as the service writes it: 1250n is "12.50". */
export function fromMinorUnits(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
