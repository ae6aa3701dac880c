import { formatAmount, parseAmount } from '../../values/amount.ts';
import {
  FIRST_TIMESTAMP_MS,
  formatTimestamp,
  LAST_TIMESTAMP_MS,
  parseDay,
  parseTimestamp,
} from '../../values/calendar.ts';
import { quote } from '../../values/quote.ts';

/** The length of YYYY-MM-DD. */
export const DAY_CHARACTERS = 10;

const DECIMAL_POINT = /^([+-]?)0*(\d+)(?:\.(\d+))?$/;
const DECIMAL_COMMA = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/;

/**
 * An amount of a file in the form of a response: 12, 12.0 and +12.00 are "12.00". Undefined if it is not an amount, is
 * finer than hundredths, or has three decimals, because these can be thousands.
 *
 * `decimalComma`: 1.234,50 in place of 1234.50.
 */
export function readAmount(text: string, decimalComma: boolean): string | undefined {
  if (decimalComma && !DECIMAL_COMMA.test(text)) return undefined;
  const pointed = decimalComma ? text.replaceAll('.', '').replace(',', '.') : text;
  const [, sign, whole, decimals = ''] = DECIMAL_POINT.exec(pointed) ?? [];
  if (whole === undefined || decimals.length === 3 || /[1-9]/.test(decimals.slice(2))) return undefined;
  const cents = decimals.slice(0, 2).padEnd(2, '0');
  const minor = parseAmount(`${sign === '-' ? '-' : ''}${whole}.${cents}`);
  return minor === undefined ? undefined : formatAmount(minor);
}

/** Why `readAmount` refuses a text, and what to write instead. */
export function explainReadAmount(text: string, decimalComma: boolean): string {
  const [separator, example, thousands] = decimalComma ? [',', '1234,50', '.'] : ['.', '1234.50', ','];
  const form = `write a decimal number such as ${example}`;
  const decimals = new RegExp(`\\${separator}(\\d{3,})$`).exec(text)?.[1] ?? '';
  if (decimals.length === 3 && !text.includes(thousands))
    return `${quote(text)} has three digits after its ${separator === '.' ? 'point' : 'comma'}, which can be decimals or thousands; ${form}`;
  if (decimals.length > 3 && !text.includes(thousands))
    return `${quote(text)} is finer than hundredths; ${form}`;
  if (/^[+-]?\d{14,}/.test(text)) return `${quote(text)} is larger than any amount of a transaction`;
  if (!decimalComma && /^[+-]?[\d.]*,\d{1,2}$/.test(text))
    return `${quote(text)} has a decimal comma; add --decimal-comma, or ${form}`;
  if (decimalComma && /\.\d{1,2}$/.test(text))
    return `${quote(text)} has a decimal point; leave out --decimal-comma, or ${form}`;
  if (/^[+-]?\d{1,3}([ ',.\u00A0\u202F]\d{3})+([.,]\d*)?$/.test(text))
    return `${quote(text)} has separators between thousands; ${form}`;
  return `${quote(text)} is not an amount; ${form}`;
}

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,3})0*)?(?:Z|([+-])(\d{2}):?(\d{2})?)$/;

/**
 * A time of a file in the form of a response, or a day as it is. Undefined if it is neither.
 *
 * A time has seconds, and Z or an offset from UTC. It is not finer than milliseconds.
 */
export function readTime(text: string): string | undefined {
  if (text.length === DAY_CHARACTERS) return parseDay(text) === undefined ? undefined : text;
  const [, day, time, fraction = '0', sign, hours = '0', minutes = '0'] = TIME.exec(text) ?? [];
  const localMs = parseTimestamp(`${day}T${time}.${fraction}Z`);
  if (localMs === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const timeMs = sign === '-' ? localMs + offsetMs : localMs - offsetMs;
  return timeMs < FIRST_TIMESTAMP_MS || timeMs > LAST_TIMESTAMP_MS ? undefined : formatTimestamp(timeMs);
}

/** Why `readTime` refuses a text, and what to write instead. */
export function explainReadTime(text: string): string {
  const form =
    'write a time such as 2026-03-31T09:30:00.000Z or 2026-03-31T11:30:00+02:00, or a UTC day such as 2026-03-31';
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/.test(text))
    return `${quote(text)} has no offset from UTC; ${form}`;
  if (/:\d{2}[.,]\d{4,}/.test(text)) return `${quote(text)} is finer than milliseconds; ${form}`;
  return `${quote(text)} is not a time; ${form}`;
}
