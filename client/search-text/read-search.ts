import { currenciesOf } from '../../values/currency-signs.ts';
import { minSearchedCharacters } from '../../values/folded-text.ts';
import { REFERENCE_MAX_CHARACTERS, TEXT_MAX_CHARACTERS } from '../../values/interface/limits.ts';
import { containsText, searchPattern } from '../../values/search-pattern.ts';
import { readWrittenAmount, withLatinDigits } from '../../values/written-amount.ts';
import { fromMinorUnits, toMinorUnits } from '../src/amount.ts';
import type { SearchQuery } from '../src/search.ts';
import type { Transaction } from '../src/transaction.ts';
import { readDay } from './read-day.ts';
import { readRange, splitHyphened, withRangeWords } from './read-range.ts';

interface WrittenCurrency {
  written: string;
  codes: readonly string[];
}

export interface SearchTerms {
  /** Amounts are written as the service writes them: "1234.50". */
  amount?: string;
  isAbout?: true;
  amountFrom?: string;
  amountTo?: string;
  currency?: WrittenCurrency;
  /** A day of payment as YYYY-MM-DD. For a week or a month, `from` is the first day and `day` the last. */
  day?: string;
  from?: string;
  status?: string;
  /** Transactions in `status` are not paid, so `day` and `from` are days of creation instead of payment. */
  isUnpaid?: true;
  words: readonly string[];
  others: readonly string[];
}

export interface WrittenStatus {
  status: string;
  isPaid: boolean;
  written: readonly string[];
}

const WITH_CODE = /^(?:([a-z]{3})([-\u2212]?\d.*)|([-\u2212]?\d.*?)([a-z]{3}))$/i;
/** In "149 12 Nov", 149 is read as an amount. In "10482 12 Nov", 10482 is too long and is an order number. */
const MAX_AMOUNT_DIGITS = 4;
const ABOUT = /^(~|about|around|ca\.?|circa|etwa|environ)$/i;
const BEFORE_DAYS = /^(on|am|im|den|vom|le|du|el|il)$/i;
const REFUND = /^(refund(s|ed)?|(r(ü|ue?)ck)?erstatt(ung(en)?|ete?[nrms]?)|rembours(ements?|[ée]e?s?)),?$/i;
const REFUNDED = 'refunded';
/** The search ignores words such as "order", because a reference may contain only the number. */
const BEFORE_NUMBERS =
  /^(order|invoice|payment|reference|ref|number|no|nr|bestellung|auftrag|rechnung|zahlung)[.:]?$/i;

/**
 * Reads "EUR 1.234,50", "149 12 Nov", "last Tuesday", "#10482", "100 to 200 EUR", "refunds" and combinations.
 * Without `statuses`, a word such as "refunds" or "pending" is only a text to search for.
 */
export function readSearch(
  text: string,
  today: string,
  language?: string,
  statuses?: readonly WrittenStatus[],
): SearchTerms {
  const isCurrency = (word = '') => currenciesOf(word, language).length > 0;
  const parts = splitHyphened(
    searchWords(withRangeWords(text.replaceAll(/~(?=\S)/g, '~ ')), isCurrency),
    isCurrency,
  );
  const others: string[] = [];
  const terms: { -readonly [Name in keyof SearchTerms]: SearchTerms[Name] } = { words: [], others };
  const canBe = (other: string, index = 0, length = parts.length) => {
    others.push([...parts.slice(0, index), other, ...parts.slice(index + length)].join(' '));
  };
  const days = parts.map((_, index) => readDay(parts, index, today, language));
  const dayAt = (index: number) => days[index];
  const { used: ofRange, currency: ofAmounts, ...range } = readRange(parts, { dayAt, today, isCurrency });
  Object.assign(terms, range, ofAmounts && { currency: currencyOf(ofAmounts, language) });
  const used = new Set(ofRange);
  let canBeWords = ofAmounts === undefined && ofRange.some((at) => /^\d+$/.test(parts[at] as string));
  const kind = statuses && kindIn(parts, statuses);
  if (kind !== undefined) {
    Object.assign(terms, kind.terms);
    for (const at of kind.used) used.add(at);
    canBeWords = true;
  }
  for (let index = 0; index < parts.length; index++) {
    if (used.has(index)) continue;
    const day = terms.day === undefined ? dayAt(index) : undefined;
    if (day !== undefined) {
      const [first, second] = day.days;
      Object.assign(terms, { day: first }, day.from && { from: day.from });
      if (second !== undefined) canBe(second, index, day.length);
      if (day.canBeWords) canBeWords = true;
      const before = BEFORE_DAYS.test(parts[index - 1] ?? '') ? 1 : 0;
      for (let at = index - before; at < index + day.length; at++) used.add(at);
      index += day.length - 1;
    } else if (terms.amount === undefined && terms.amountFrom === undefined && terms.amountTo === undefined) {
      const isBesideDay = used.has(index - 1) || (terms.day === undefined && dayAt(index + 1) !== undefined);
      const beside = [index + 1, index - 1].find(
        (at) => isCurrency(parts[at]) && (at < index || !isBeforeNumber(parts, at, text)),
      );
      const about = [index - 1, ...(beside === index - 1 ? [index - 2] : [])].find((at) =>
        ABOUT.test(parts[at] ?? ''),
      );
      const read = readAmountWord(parts[index] as string, {
        isBesideCurrency: beside !== undefined || about !== undefined,
        isBesideDay,
        isAlone: parts.length === 1,
        isBesideName: isBesideName(parts, index),
        isDay: (word) => terms.day === undefined && readDay([word], 0, today, language) !== undefined,
      });
      if (read?.other !== undefined) canBe(read.other, index, 1);
      if (read?.amount === undefined) continue;
      terms.amount = read.amount;
      used.add(index);
      if (about !== undefined) {
        terms.isAbout = true;
        used.add(about);
      }
      const [written, place] =
        read.code === undefined ? [parts[beside ?? -1], beside] : [read.code, undefined];
      if (written !== undefined) terms.currency = currencyOf(written, language);
      if (written !== undefined && place !== undefined) {
        used.add(place);
        const first = Math.min(index, place);
        if (about === undefined && /^\d+$/.test(parts[index] as string)) canBe(`~ ${parts[first]}`, first, 1);
      }
      const negative = about === undefined && !kind?.isRefund && negativeOf(parts[index] as string);
      if (negative) canBe(negative, index, 1);
    }
  }
  if (/^\d{1,3}( \d{3})+$/.test(parts.join(' '))) canBe(`${parts.join('')}.00`);
  const words = parts.filter((_, index) => !used.has(index)).map(withoutMarks);
  const named = words.filter((word) => !BEFORE_NUMBERS.test(word));
  if (canBeWords && !text.includes('#') && (named.length > 0 || parts.length === 1)) canBe(asWords(parts));
  return {
    ...(kind?.isRefund ? ofRefund(terms) : terms),
    words: named.length > 0 || terms.amount !== undefined || ofRange.length > 0 ? named : words,
  };
}

const withoutMarks = (part: string) => part.replace(/^#+(?=.)/, '').replace(/(?<=.)[,;:]+$/, '');

export const BELOW_ZERO = '-0.01';

/** A refund is negative, but people write it without the sign. */
function ofRefund(terms: SearchTerms): SearchTerms {
  const { amount, amountFrom, amountTo, ...others } = terms;
  if ([amount, amountFrom, amountTo].some((one) => one?.startsWith('-'))) return terms;
  if (amount !== undefined) return { ...others, amount: negated(amount) };
  return {
    ...others,
    ...(amountTo !== undefined && { amountFrom: negated(amountTo) }),
    amountTo: amountFrom === undefined ? BELOW_ZERO : negated(amountFrom),
  };
}

const negated = (amount: string) => fromMinorUnits(-toMinorUnits(amount));

const negativeOf = (number: string) => !/[-+\u2212]/.test(number) && number.replace(/\d/, '-$&');

/** Puts # before each part, so that `readSearch` does not read the part as an amount, a day or a status. */
const asWords = (parts: readonly string[]): string =>
  parts.flatMap((part) => (part === '..' ? [] : [part.replace(/^#*/, '#')])).join(' ');

interface Kind {
  terms: Pick<SearchTerms, 'status' | 'isUnpaid'>;
  used: readonly number[];
  isRefund?: true;
}

/** "refunds" means the status "refunded" or, if the service has no such status, negative amounts. */
function kindIn(parts: readonly string[], statuses: readonly WrittenStatus[]): Kind | undefined {
  const plain = parts.map((part) => (REFUND.test(part) ? REFUNDED : part));
  const status = statusIn(parts, statuses) ?? statusIn(plain, statuses);
  const refund = plain.indexOf(REFUNDED);
  return status ?? (refund === -1 ? undefined : { terms: {}, used: [refund], isRefund: true });
}

function statusIn(parts: readonly string[], statuses: readonly WrittenStatus[]): Kind | undefined {
  const names = statuses.flatMap((one) =>
    one.written.map((name) => ({ ...one, pattern: new RegExp(`^${searchPattern(name)}$`, 'u') })),
  );
  for (const index of parts.keys())
    for (const used of [[index, index + 1], [index]]) {
      const phrase = used
        .map((at) => parts[at])
        .join(' ')
        .trimEnd()
        .replace(/[.,;:]$/, '')
        .normalize('NFC');
      const found = names.find(({ pattern }) => isInflected(phrase, pattern));
      if (found !== undefined)
        return { terms: { status: found.status, ...(!found.isPaid && { isUnpaid: true }) }, used };
    }
  return undefined;
}

/** People may write another form of a status, such as "refund", "refunds" or "remboursée". */
const isInflected = (phrase: string, name: RegExp): boolean =>
  [
    phrase,
    `${phrase.replace(/s$/, '')}ed`,
    `${phrase.replace(/s$/, '')}d`,
    phrase.replace(/(?:e?s|e[nrm]?)$/, ''),
  ].some((form) => name.test(form));

function currencyOf(written: string, language: string | undefined): WrittenCurrency {
  const codes = currenciesOf(written, language);
  return { written: codes.length === 1 ? (codes[0] as string) : written, codes };
}

function isBeforeNumber(parts: readonly string[], sign: number, text: string): boolean {
  const next = parts[sign + 1] ?? '';
  if (!/^[-\u2212]?\d/.test(next)) return false;
  const isWritten = (one = '', other = '') => text.includes(one + other);
  return isWritten(parts[sign], next)
    ? !isWritten(parts[sign - 1], parts[sign])
    : !/\D/.test(parts[sign - 1] ?? '') && /\d[.,]\d/.test(next);
}

/** True for 149 in "lovelace 149", which can be a name and an amount, but not in "order 149" or "x1 149". */
const isBesideName = (parts: readonly string[], index: number): boolean =>
  parts.length > 1 &&
  parts.every((part, at) => at === index || !/\d/.test(part)) &&
  !BEFORE_NUMBERS.test(parts[index - 1] ?? '');

interface AmountContext {
  isBesideCurrency: boolean;
  isBesideDay: boolean;
  isAlone: boolean;
  isBesideName: boolean;
  isDay(word: string): boolean;
}

/** `other` is another possible meaning: a number without decimals can also be an order number. */
function readAmountWord(
  word: string,
  { isBesideCurrency, isBesideDay, isAlone, isBesideName, isDay }: AmountContext,
): { amount?: string; code?: string; other?: string } | undefined {
  const [, before, ofCode, ofOtherCode, after] = WITH_CODE.exec(word) ?? [];
  const code = before ?? after;
  const number = ofCode ?? ofOtherCode ?? word;
  const [amount, second] = readWrittenAmount(number);
  if (amount === undefined || (code !== undefined && currenciesOf(code).length === 0)) return undefined;
  const digits = /^[-+\u2212]?(\d+)$/.exec(number)?.[1]?.length;
  if (digits === undefined) {
    // "24.11" can be an amount, or a German day whose final point is missing.
    const other = second ?? (isDay(`${word}.`) ? `${word}.` : undefined);
    return { amount, ...(code && { code }), ...(other && { other: `${other} ${code ?? ''}`.trimEnd() }) };
  }
  if (isBesideCurrency) return { amount };
  const asReference = `#${word}`;
  if (code !== undefined) return { amount, code, other: asReference };
  if (isBesideDay) return digits <= MAX_AMOUNT_DIGITS ? { amount, other: asReference } : { other: amount };
  if (isBesideName && digits < MAX_AMOUNT_DIGITS) return { other: `~ ${word}` };
  if (!isAlone) return undefined;
  return digits < minSearchedCharacters(word) ? { amount } : { other: amount };
}

/** Undefined if no term can be searched for. Filter the result with `isMatch`. */
export function searchQuery(
  { words, amount, isAbout, amountFrom, amountTo, currency, status, isUnpaid, day, from = day }: SearchTerms,
  timeZone: string,
): SearchQuery | undefined {
  if (words.some(({ length }) => length > REFERENCE_MAX_CHARACTERS)) return undefined;
  const text = longest(words)?.slice(0, TEXT_MAX_CHARACTERS);
  const paidDay = isUnpaid ? undefined : day;
  if ([text, amount, amountFrom, amountTo, paidDay].every((term) => term === undefined)) return undefined;
  const [code, ...others] = currency?.codes ?? [];
  return {
    ...(amount !== undefined && (isAbout ? rangeAround(amount) : { amount })),
    ...(amountFrom !== undefined && { amountFrom }),
    ...(amountTo !== undefined && { amountTo }),
    ...(code !== undefined && others.length === 0 && { currency: code }),
    ...(status !== undefined && { status }),
    ...(day !== undefined && {
      ...(isUnpaid ? { from, to: day } : { paidFrom: from, paidTo: day }),
      timeZone,
    }),
    ...(text !== undefined && { text }),
  };
}

function rangeAround(amount: string): Pick<SearchQuery, 'amountFrom' | 'amountTo'> {
  const minor = toMinorUnits(amount);
  const [least, greatest] = [minor - minor / 10n, minor + minor / 10n].sort((left, right) =>
    Number(left - right),
  );
  return { amountFrom: fromMinorUnits(least as bigint), amountTo: fromMinorUnits(greatest as bigint) };
}

/** Returns the longest word, because it is probably in the fewest transactions. */
function longest(words: readonly string[]): string | undefined {
  const [word] = words.toSorted((left, right) => right.length - left.length);
  return word !== undefined && word.length >= minSearchedCharacters(word) ? word : undefined;
}

const textsOf = ({ reference, merchantReference, details = {} }: Transaction): readonly string[] => [
  reference,
  merchantReference ?? '',
  ...Object.values(details),
];

export function isMatch(
  transaction: Transaction,
  { words, currency }: Pick<SearchTerms, 'words' | 'currency'>,
): boolean {
  const sent = longest(words);
  const texts = textsOf(transaction);
  return (
    (currency === undefined || currency.codes.includes(transaction.currencyCode)) &&
    words.every(
      (word) =>
        (word === sent && word.length <= TEXT_MAX_CHARACTERS) ||
        texts.some((text) => containsText(text, word)),
    )
  );
}

export function hasWholeWords(transaction: Transaction, words: readonly string[]): boolean {
  const text = textsOf(transaction).join(' ').normalize('NFC');
  return words.every((word) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${searchPattern(word)}(?![\\p{L}\\p{N}])`, 'u').test(text),
  );
}

/** The letters of a country can come before a currency sign, as in US$. */
const SIGN = /([-\u2212]?)((?<!\p{L})\p{Lu}{1,2}\p{Sc}|[\p{Sc}\u5186\u5143])([-\u2212]?)/gu;
const GROUPING_SPACE = /(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))/g;
/** "1 500" can be one number, or two. */
const SPACED = /(?<!\S)[-\u2212]?\d{1,3}(?: \d{3})+(?:[.,](?:\d{1,2}|-{1,2}))?(?!\S)/g;

/** For "1 500 EUR", returns "1'500" and "EUR". */
function searchWords(text: string, isCurrency: (word?: string) => boolean): string[] {
  const plain = withLatinDigits(text.replaceAll(/[\u3000\uff01-\uffef]/g, (one) => one.normalize('NFKC')))
    .replaceAll(SIGN, ' $2 $1$3')
    .replaceAll(GROUPING_SPACE, "'")
    .replaceAll(/\s+/g, ' ');
  const joined = plain.replaceAll(SPACED, (number, at: number) => {
    const before = plain.slice(0, at).trimEnd().split(' ').at(-1);
    const [after] = plain.slice(at + number.length + 1).split(' ');
    const isAmount = /[.,]/.test(number) || isCurrency(before) || isCurrency(after);
    return isAmount ? number.replaceAll(' ', "'") : number;
  });
  return joined.split(' ').filter(Boolean);
}
