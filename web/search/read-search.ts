import type { SearchQuery } from '../../client/src/search.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { groupedAmount } from '../text/amount.ts';
import { readDay } from './read-day.ts';

/** What a text asks for. A transaction must have all of it. */
export interface SearchTerms {
  /** As the service takes it: "1234.50". */
  amount?: string;
  currency?: string;
  /** A day of payment, YYYY-MM-DD. */
  day?: string;
  /** What a word means that can be two days, and then is none of the other terms. */
  unclear?: { word: string; days: readonly string[] };
  /** Parts of the reference or of the merchant's reference. */
  words: readonly string[];
}

/** The length of a part that the service searches for. */
const MIN_TEXT = 3;
const MAX_TEXT = 64;
/** No reference of either kind is longer. */
export const MAX_REFERENCE = 255;

/** An amount with two digits after the last comma or point, or with one; thousands can be grouped. */
const AMOUNT = /^([-\u2212]?)(\d{1,3}(?:[.,'\u2019]\d{3})+|\d+)[.,](\d{1,2})$/;
/** "1 249,00", as it is written in French. */
const SPACED_AMOUNT = /(?<!\S)[-\u2212]?\d{1,3}(?:\s\d{3})+(?=[.,]\d{1,2}(?!\S))/g;
const WHOLE_AMOUNT = /^[-\u2212]?\d+$/;
const SYMBOLS: Readonly<Record<string, string>> = { '\u20ac': 'EUR', '\u00a3': 'GBP', '\u00a5': 'JPY' };
/** What people write before a number. No reference has to contain it. */
const BEFORE_NUMBERS =
  /^(order|invoice|payment|reference|ref|number|no|nr|bestellung|auftrag|rechnung|zahlung)[.:]?$/i;

/** Reads "49,90", "EUR 49.90", "13.10.2026", "last Tuesday", "#10482", "order 10482", "AMZ 302", and several of them together. */
export function readSearch(text: string, today: string, language?: string): SearchTerms {
  const parts = text
    .replaceAll(/[\u20ac\u00a3\u00a5]/g, (symbol) => ` ${SYMBOLS[symbol]} `)
    .replaceAll(SPACED_AMOUNT, (amount) => amount.replaceAll(/\s/g, ''))
    .split(/\s+/)
    .filter(Boolean);
  const terms: { -readonly [Name in keyof SearchTerms]: SearchTerms[Name] } = { words: [] };
  const words: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as string;
    const isBesideCurrency = [parts[index - 1], parts[index + 1]].some(isCurrency);
    const amount = amountOf(part, isBesideCurrency);
    const isBesideAmount = [parts[index - 1], parts[index + 1]].some(
      (other) => amountOf(other, true) !== undefined,
    );
    const read = (terms.day ?? terms.unclear) ? undefined : readDay(parts, index, today, language);
    if (amount !== undefined && terms.amount === undefined) terms.amount = amount;
    else if (read !== undefined) {
      const { days, length } = read;
      if (days.length > 1) terms.unclear = { word: part, days };
      else terms.day = days[0] as string;
      index += length - 1;
    } else if (isCurrency(part) && isBesideAmount && terms.currency === undefined)
      terms.currency = part.toUpperCase();
    else words.push(part.replace(/^#+(?=.)/, '').replace(/(?<=.)[,;:]+$/, ''));
  }
  const named = words.filter((word) => !BEFORE_NUMBERS.test(word));
  return { ...terms, words: named.length > 0 || terms.amount !== undefined ? named : words };
}

/** A number without decimals is an amount only beside a currency: it can be the number of an order. */
function amountOf(text: string | undefined, isBesideCurrency: boolean): string | undefined {
  if (text === undefined) return undefined;
  if (isBesideCurrency && WHOLE_AMOUNT.test(text)) return plain(text);
  const [, sign = '', whole, decimals] = AMOUNT.exec(text) ?? [];
  return whole === undefined ? undefined : plain(`${sign}${whole.replaceAll(/\D/g, '')}.${decimals}`);
}

const plain = (amount: string) => amount.replace('\u2212', '-').replace(/^(-?)0+(?=\d)/, '$1');

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const isCurrency = (text: string | undefined): boolean =>
  text !== undefined && CURRENCIES.has(text.toUpperCase());

/**
 * The query that finds all transactions with these terms, and perhaps others: see `hasWords`. Undefined if there is nothing to search
 * for: the words are too short, or longer than any reference.
 */
export function searchQuery(
  { words, amount, currency, day }: SearchTerms,
  timeZone: string,
): SearchQuery | undefined {
  if (words.some(({ length }) => length > MAX_REFERENCE)) return undefined;
  const text = longest(words)?.slice(0, MAX_TEXT);
  if (text === undefined && amount === undefined && day === undefined) return undefined;
  return {
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    ...(day !== undefined && { paidFrom: day, paidTo: day, timeZone }),
    ...(text !== undefined && { text }),
  };
}

/** The word that the service searches for: the one that the fewest transactions have. */
function longest(words: readonly string[]): string | undefined {
  const [word] = words.toSorted((left, right) => right.length - left.length);
  return word !== undefined && word.length >= MIN_TEXT ? word : undefined;
}

/** Whether a transaction that the query found has the words that the query does not have. */
export function hasWords({ reference, merchantReference }: Transaction, words: readonly string[]): boolean {
  const sent = longest(words);
  const references = `${reference}\n${merchantReference ?? ''}`.toLowerCase();
  return words.every(
    (word) => (word === sent && word.length <= MAX_TEXT) || references.includes(word.toLowerCase()),
  );
}

const LETTER = /[\p{L}\p{N}]/u;

/** Whether a transaction has the words as such, not as parts of longer numbers or words. */
export function hasWholeWords(
  { reference, merchantReference }: Transaction,
  words: readonly string[],
): boolean {
  const text = ` ${reference} ${merchantReference ?? ''} `.toLowerCase();
  return words.every((word) => {
    const pieces = text.split(word.toLowerCase());
    return pieces.some(
      (piece, index) =>
        index > 0 && !LETTER.test(piece.charAt(0)) && !LETTER.test(pieces[index - 1]?.at(-1) ?? ''),
    );
  });
}

/** The terms in words, after "Transactions": "of 49.90 EUR, paid on 2026-10-13 (UTC), with 302 and AMZ in a reference". */
export function describeTerms({ words, amount, currency, day }: SearchTerms, timeZone: string): string {
  const parts = [
    amount !== undefined && `of ${[groupedAmount(amount), currency].filter(Boolean).join(' ')}`,
    day !== undefined && `paid on ${day} (${timeZone})`,
    words.length > 0 && `with ${words.join(' and ')} in a reference`,
  ];
  return parts.filter(Boolean).join(', ');
}
