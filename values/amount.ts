/**
 * Amounts are integers of minor units (hundredths) inside the service, and strings with two decimals outside,
 * in every currency. Minor units of an amount stay far below 2^53, so a JavaScript number is exact. Sums of
 * amounts can be larger, so they are BigInt.
 */

import { hasMoreDecimals } from './currency.ts';
import { quote } from './quote.ts';

export const MAX_AMOUNT_MINOR = 999_999_999_999_999;

const AMOUNT = /^-?(?:0|[1-9]\d{0,12})(?:\.\d{1,2})?$/;

/**
 * The hundredths of a decimal number with at most 13 digits before the point and two after it, or undefined.
 */
export function parseAmount(text: string): number | undefined {
  if (!AMOUNT.test(text)) return undefined;
  const negative = text.startsWith('-');
  const point = text.indexOf('.');
  const whole = Number(text.slice(negative ? 1 : 0, point === -1 ? undefined : point));
  const cents = point === -1 ? 0 : Number(text.slice(point + 1).padEnd(2, '0'));
  const minor = whole * 100 + cents;
  return negative && minor !== 0 ? -minor : minor;
}

/** Formatted once, because every transaction of a page has an amount. */
const DECIMALS = Array.from({ length: 100 }, (_, hundredths) => `.${String(hundredths).padStart(2, '0')}`);

/** A decimal string with exactly two decimals. */
export function formatAmount(amountMinor: number): string {
  const absolute = Math.abs(amountMinor);
  const hundredths = absolute % 100;
  return `${amountMinor < 0 ? '-' : ''}${(absolute - hundredths) / 100}${DECIMALS[hundredths]}`;
}

/** Formats a sum, which can be larger than any amount. */
export function formatSum(sumMinor: bigint): string {
  const absolute = sumMinor < 0n ? -sumMinor : sumMinor;
  return `${sumMinor < 0n ? '-' : ''}${absolute / 100n}${DECIMALS[Number(absolute % 100n)]}`;
}

/**
 * Why `parseAmount` refuses a text, and what to write instead. `currencyCode` is as it was written, valid or
 * not.
 */
export function explainAmount(text: string, currencyCode?: unknown): string {
  const form = 'write a decimal number with two decimals, for example 12.50';
  if (text === '') return `is empty; ${form}`;
  if (/^-?\d+\.\d{3,}$/.test(text)) {
    const fault = `${quote(text)} has more than two decimals, so it cannot be stored exactly`;
    if (typeof currencyCode !== 'string' || !hasMoreDecimals(currencyCode)) return fault;
    return `${fault}; the specification writes amounts with two decimals in every currency, also in ${currencyCode}`;
  }
  if (/^-?[1-9]\d{13,}(\.\d{1,2})?$/.test(text))
    return `${quote(text)} is too large; write at most 13 digits before the point`;
  if (/^-?\d*,\d+/.test(text)) return `${quote(text)} has a comma; ${form}`;
  return `${quote(text)} is not an amount; ${form}`;
}
