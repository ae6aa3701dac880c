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

/** Which of two numbers is the day, where a date has slashes or hyphens. Dates with points begin with the day everywhere. */
export type DateOrder = 'dmy' | 'mdy';

const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)$/;

/** The days that a date can mean, as YYYY-MM-DD: 31.10.2026, 31.10.26, 31/10/2026, 2026/10/31. */
function daysOf(text: string, order: DateOrder | undefined): string[] {
  const turned = /^(\d{4})([/.])(\d\d)\2(\d\d)$/.exec(text);
  if (turned !== null) return [`${turned[1]}-${turned[3]}-${turned[4]}`].filter(isDay);
  const [, first = '', separator, second = '', year = ''] = DATE.exec(text) ?? [];
  const day = (month: string, date: string) =>
    `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const isDayFirst = separator === '.' || order === 'dmy';
  const read = [
    ...(isDayFirst || order === undefined ? [day(second, first)] : []),
    ...(isDayFirst ? [] : [day(first, second)]),
  ];
  return [...new Set(read)].filter(isDay);
}

const isDay = (text: string) => parseDay(text) !== undefined;

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,3})0*)?(?:Z|([+-])(\d{2}):?(\d{2})?)$/;

/**
 * A time of a file in the form of a response, or a day as YYYY-MM-DD. Undefined if it is neither, or can be two days.
 *
 * A time has seconds, and Z or an offset from UTC. It is not finer than milliseconds.
 */
export function readTime(text: string, order?: DateOrder): string | undefined {
  if (isDay(text)) return text;
  const days = daysOf(text, order);
  if (days.length > 0) return days.length === 1 ? days[0] : undefined;
  const [, day, time, fraction = '0', sign, hours = '0', minutes = '0'] = TIME.exec(text) ?? [];
  const localMs = parseTimestamp(`${day}T${time}.${fraction}Z`);
  if (localMs === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const timeMs = sign === '-' ? localMs + offsetMs : localMs - offsetMs;
  return timeMs < FIRST_TIMESTAMP_MS || timeMs > LAST_TIMESTAMP_MS ? undefined : formatTimestamp(timeMs);
}

/** Why `readTime` refuses a text, and what to write instead. */
export function explainReadTime(text: string, order?: DateOrder): string {
  const form =
    'write a time such as 2026-03-31T09:30:00.000Z or 2026-03-31T11:30:00+02:00, or a day such as 2026-03-31 or 31.03.2026';
  const days = daysOf(text, order);
  if (days.length > 1)
    return `${quote(text)} can be ${days.join(' or ')}; add --date-order dmy if its first number is the day, or --date-order mdy if it is the month`;
  const asOther = order && daysOf(text, undefined).length === 1;
  if (asOther) return `${quote(text)} is not a date in the order of --date-order ${order}; ${form}`;
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/.test(text))
    return `${quote(text)} has no offset from UTC; ${form}`;
  if (/:\d{2}[.,]\d{4,}/.test(text)) return `${quote(text)} is finer than milliseconds; ${form}`;
  return `${quote(text)} is not a time; ${form}`;
}
