import { formatAmount, parseAmount } from '../../values/amount.ts';
import {
  FIRST_TIMESTAMP_MS,
  formatTimestamp,
  LAST_TIMESTAMP_MS,
  parseDay,
  parseTimestamp,
} from '../../values/calendar.ts';
import { currenciesOf } from '../../values/currency-signs.ts';
import { foldedText } from '../../values/folded-text.ts';
import { normalisedNumber, wholeOf } from '../../values/written-amount.ts';

export const DAY_CHARACTERS = 10;

export interface FileForms {
  /** True if amounts look like 1.234,50. */
  decimalComma: boolean;
  /** If `dateOrder` is undefined, a date that can mean two days, such as 05/06/2026, is refused. */
  dateOrder?: DateOrder | undefined;
  /** True if only the day of a time without an offset is read. Otherwise, such a time is refused. */
  dropsClock?: boolean | undefined;
}

export type ValueFault =
  /** For example "1.234" (with `decimalComma`, "1,234"), whose mark can be for decimals or for thousands. */
  | 'three_decimals'
  /** For example "1,234" in a file in which no other amount shows whether the comma separates thousands. */
  | 'lone_group'
  /** For example "12.50 USD" in a line of EUR. */
  | 'other_currency'
  /** For example "12.50 USD" in a line whose currency is not known. */
  | 'no_currency'
  | 'finer_than_hundredths'
  | 'too_large'
  | 'decimal_comma'
  | 'decimal_point'
  | 'not_amount'
  | 'not_currency'
  | 'two_days'
  | 'other_order'
  | 'no_offset'
  | 'finer_than_milliseconds'
  | 'not_time'
  | 'not_utf8';

type ReadText = { value: string } | { fault: ValueFault };

/** Refuses $, because many currencies use it. */
export function readCurrency(text: string): ReadText {
  const [code, ...others] = currenciesOf(text.trim());
  return code === undefined || others.length > 0 ? { fault: 'not_currency' } : { value: code };
}

export interface WrittenAmount {
  value: string;
  /** A currency's code, sign or name next to the number, or ''. */
  currency: string;
  /** `known`: the decimal mark is clear (12.50). `open`: it is unclear (1,234). `none`: no mark (12). */
  form: 'known' | 'open' | 'none';
}

/** A sign is + or -, brackets, or a bank's D, DR, S, C, CR or H. */
const SIGNED =
  /^(\()?([+-]?) ?([A-Z]{3}|\p{Lu}{0,2}\p{Sc}|\p{L}{2,5}\.?)? ?([+-]?)(\d(?:[\d., ']*\d)?) ?([A-Z]{3}|\p{Lu}{0,2}\p{Sc}|(?![DC]R$)\p{L}{2,5}\.?)? ?([+-]|\)|DR?|CR?|S|H)?$/u;
const NEGATIVE = new Set(['-', ')', 'D', 'DR', 'S']);

/** Refuses three digits after the decimal mark, because in "1.234" the mark may be for thousands. */
export function readAmount(text: string, decimalComma: boolean): WrittenAmount | { fault: ValueFault } {
  const [, open, before = '', first = '', inner = '', number = '', last = '', after = ''] =
    SIGNED.exec(normalisedNumber(text.trim())) ?? [];
  const signs = [before, inner, after].filter((sign) => sign !== '');
  const isOpen = (open === '(') !== (after === ')');
  const currency = first || last;
  const isMoney = currency === '' || currenciesOf(currency).length > 0;
  if (number === '' || signs.length > 1 || isOpen || (last !== '' && last !== currency) || !isMoney)
    return { fault: 'not_amount' };
  const mark = decimalComma ? ',' : '.';
  const at = number.lastIndexOf(mark);
  const [whole, decimals] = at === -1 ? [number, ''] : [number.slice(0, at), number.slice(at + 1)];
  const digits =
    whole.includes(mark) || ODD_GROUPS.test(whole) ? undefined : wholeOf(whole)?.replace(/^0+(?=\d)/, '');
  if (digits === undefined || /\D/.test(decimals)) return { fault: otherMark(number, decimalComma) };
  if (decimals.length === 3) return { fault: 'three_decimals' };
  if (/[1-9]/.test(decimals.slice(2))) return { fault: 'finer_than_hundredths' };
  const isNegative = signs.some((sign) => NEGATIVE.has(sign));
  const minor = parseAmount(`${digits}.${decimals.slice(0, 2).padEnd(2, '0')}`);
  if (minor === undefined) return { fault: 'too_large' };
  const form = at !== -1 ? 'known' : OPEN.test(number) ? 'open' : /[.,]/.test(number) ? 'known' : 'none';
  return { value: formatAmount(isNegative ? -minor : minor), currency, form };
}

/** 12.34.567 is refused, because it may be a date. 12,34,567 is accepted, because it is usual in India. */
const ODD_GROUPS = /[. ']\d\d[. ']/;

const OPEN = /^\d+[.,]\d{3}$/;

function otherMark(number: string, decimalComma: boolean): ValueFault {
  const read = /^[\d., ']*([.,])\d{1,2}$/.exec(number)?.[1];
  if (read === ',' && !decimalComma) return 'decimal_comma';
  return read === '.' && decimalComma ? 'decimal_point' : 'not_amount';
}

/** The order of day and month in 05/06/2026 and 05-06-2026. In 05.06.2026, the day is always first. */
export type DateOrder = 'dmy' | 'mdy';

const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)$/;
const YEAR_FIRST = /^(\d{4})([/.]?)(\d\d)\2(\d\d)$/;
const NAMED = /^(\d{1,2})[. -]+(\p{L}{3,})[. -]+(\d{4}|\d\d)$/u;
const NAME_FIRST = /^(\p{L}{3,})\.? (\d{1,2}),? (\d{4})$/u;
/** The months in English, German and French, without accents. A file can shorten them to three letters. */
const MONTHS = [
  'january januar janner janvier',
  'february februar feber fevrier',
  'march marz maerz mrz mars',
  'april avril',
  'may mai',
  'june juni juin',
  'july juli juillet',
  'august aout',
  'september septembre',
  'october oktober octobre',
  'november novembre',
  'december dezember decembre',
].map((names) => names.split(' '));

/** Returns 0 unless the text is the beginning of exactly one month's name. */
function monthOf(text: string): number {
  const found = [...MONTHS.keys()].filter((at) =>
    MONTHS[at]?.some((name) => name.startsWith(foldedText(text))),
  );
  return found.length === 1 ? (found[0] as number) + 1 : 0;
}

/** Reads 31.10.2026, 31.10.26, 31/10/2026, 2026/10/31, 20261031, 31 Oct 2026 and Oct 31, 2026. */
export function daysOf(text: string, order: DateOrder | undefined): string[] {
  if (isDay(text)) return [text];
  const day = (year: string, month: string, date: string) =>
    `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const turned = YEAR_FIRST.exec(text);
  if (turned !== null)
    return [day(turned[1] as string, turned[3] as string, turned[4] as string)].filter(isDay);
  const [, date = '', name = '', ofYear = ''] =
    NAMED.exec(text) ??
    ((found) => found && [found[0], found[2], found[1], found[3]])(NAME_FIRST.exec(text)) ??
    [];
  if (name !== '') {
    return [day(ofYear, String(monthOf(name)), date)].filter(isDay);
  }
  const [, first = '', separator, second = '', year = ''] = DATE.exec(text) ?? [];
  const isDayFirst = separator === '.' || order === 'dmy';
  const read = [
    ...(isDayFirst || order === undefined ? [day(year, second, first)] : []),
    ...(isDayFirst ? [] : [day(year, first, second)]),
  ];
  return [...new Set(read)].filter(isDay);
}

const isDay = (text: string) => parseDay(text) !== undefined;

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,3})0*)?(?:Z|([+-])(\d{2}):?(\d{2})?)$/;
const CLOCK = /(?:[T ]|, ?)\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?(?: ?[AP]M)?$/i;

export function readTime(
  text: string,
  { dateOrder, dropsClock = false }: Omit<FileForms, 'decimalComma'> = {},
): ReadText {
  const written = text.trim();
  const dated = dropsClock ? written.replace(CLOCK, '') : written;
  const days = daysOf(dated, dateOrder);
  if (days.length > 1) return { fault: 'two_days' };
  if (days[0] !== undefined) return { value: days[0] };
  const [, day, time, fraction = '0', sign, hours = '0', minutes = '0'] = TIME.exec(written) ?? [];
  const localMs = parseTimestamp(`${day}T${time}.${fraction}Z`);
  if (localMs !== undefined && Number(hours) <= 23 && Number(minutes) <= 59) {
    const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
    const timeMs = sign === '-' ? localMs + offsetMs : localMs - offsetMs;
    if (timeMs >= FIRST_TIMESTAMP_MS && timeMs <= LAST_TIMESTAMP_MS)
      return { value: formatTimestamp(timeMs) };
  }
  if (dateOrder !== undefined && daysOf(dated, undefined).length === 1) return { fault: 'other_order' };
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/.test(written)) return { fault: 'no_offset' };
  return { fault: /:\d{2}[.,]\d{4,}/.test(text) ? 'finer_than_milliseconds' : 'not_time' };
}
