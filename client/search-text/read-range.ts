import { readWrittenAmount } from '../../values/written-amount.ts';

interface ReadRange {
  amountFrom?: string;
  amountTo?: string;
  from?: string;
  day?: string;
  currency?: string;
  used: readonly number[];
}

const TO = /^(\.\.|-|to|till|until|bis|à|au)$/i;
const AND = /^(and|und|et)$/i;
const BEFORE = /^(between|from|zwischen|von|vom|entre|de|du)$/i;
const MORE = /^(>=?|≥|over|above|über|ueber)$/i;
const LESS = /^(<=?|≤|under|below|unter)$/i;
const SINCE = /^(since|seit|depuis)$/i;
const ARTICLE = /^(the|dem|le)$/i;
/** Two numbers with a hyphen can be an order number, so they are a range only next to a currency. */
const HYPHENED = /^(\d[\d.,]*)-(\d[\d.,]*)$/;

const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/(?<!\S)(?:more than|at least|mehr als|mindestens|plus de|au moins)(?= )/gi, '>'],
  [/(?<!\S)(?:less than|at most|weniger als|höchstens|moins de|au plus)(?= )/gi, '<'],
  [/([<>≤≥]=?)(?=[^\s=])/g, '$1 '],
  [/(?<=\d) ?(?:\.\.+|[\u2013\u2014\u2026]) ?(?=[-\u2212]?[\d\p{Sc}])/gu, ' .. '],
];

export const withRangeWords = (text: string): string =>
  PHRASES.reduce((written, [phrase, word]) => written.replaceAll(phrase, word), text);

export const splitHyphened = (words: readonly string[], isCurrency: (word?: string) => boolean): string[] =>
  words.flatMap((word, index) => {
    const [, first, last] = HYPHENED.exec(word) ?? [];
    const isRange = [words[index - 1], words[index + 1]].some((beside) => isCurrency(beside));
    return first !== undefined && last !== undefined && isRange ? [first, '..', last] : [word];
  });

interface Readers {
  dayAt(index: number): { days: readonly string[]; from?: string; length: number } | undefined;
  today: string;
  isCurrency(word?: string): boolean;
}

/** Reads "100 to 200 EUR", "$100..$200", "between 1 Oct and 7 Oct", "over 500", "< 50 EUR". */
export function readRange(words: readonly string[], readers: Readers): ReadRange {
  // Iterators have no `map` in some browsers, nor in Node 20, on which the command can run.
  const first = (read: typeof daysAround) => {
    for (const index of words.keys()) {
      const range = read(words, index, readers);
      if (range !== undefined) return range;
    }
    return undefined;
  };
  const [days, amounts] = [first(daysAround) ?? first(daysSince), first(amountsAt)];
  return { ...days, ...amounts, used: [...(days?.used ?? []), ...(amounts?.used ?? [])] };
}

const isBetween = (word = '') => TO.test(word) || AND.test(word);

const amountsAt = (...place: Parameters<typeof amountsAround>) =>
  isBetween(place[0][place[1]]) ? amountsAround(...place) : amountAfter(...place);

function daysAround(words: readonly string[], middle: number, { dayAt }: Readers): ReadRange | undefined {
  const right = isBetween(words[middle]) ? dayAt(middle + 1) : undefined;
  const start = [3, 2, 1]
    .map((length) => middle - length)
    .find((at) => at >= 0 && dayAt(at)?.length === middle - at);
  if (right === undefined || start === undefined) return undefined;
  const announced = announcedBy(words, start, middle);
  const [from, day] = [dayAt(start)?.days[0], right.days[0]].sort();
  if (announced === undefined || from === undefined || day === undefined) return undefined;
  return { from, day, used: placesOf(announced, middle + right.length) };
}

function daysSince(
  words: readonly string[],
  index: number,
  { dayAt, today }: Readers,
): ReadRange | undefined {
  if (!SINCE.test(words[index] as string)) return undefined;
  const at = index + (ARTICLE.test(words[index + 1] ?? '') ? 2 : 1);
  const found = dayAt(at);
  const from = found?.from ?? found?.days[0];
  if (found === undefined || from === undefined || from > today) return undefined;
  return { from, day: today, used: placesOf(index, at + found.length - 1) };
}

function amountsAround(words: readonly string[], middle: number, readers: Readers): ReadRange | undefined {
  const left = amountAt(words, middle - 1, -1, readers);
  const right = amountAt(words, middle + 1, 1, readers);
  if (left === undefined || right === undefined) return undefined;
  const announced = announcedBy(words, left.first, middle);
  if (announced === undefined) return undefined;
  const [least, greatest] = [left.amount, right.amount].sort((one, other) => Number(one) - Number(other));
  const currency = right.currency ?? left.currency;
  return {
    amountFrom: least as string,
    amountTo: greatest as string,
    ...(currency !== undefined && { currency }),
    used: placesOf(announced, right.last),
  };
}

function amountAfter(words: readonly string[], index: number, readers: Readers): ReadRange | undefined {
  const word = words[index] as string;
  if (!MORE.test(word) && !LESS.test(word)) return undefined;
  const found = amountAt(words, index + 1, 1, readers);
  if (found === undefined) return undefined;
  const { amount, currency, last } = found;
  return {
    ...(MORE.test(word) ? { amountFrom: amount } : { amountTo: amount }),
    ...(currency !== undefined && { currency }),
    used: placesOf(index, last),
  };
}

function announcedBy(words: readonly string[], start: number, middle: number): number | undefined {
  if (BEFORE.test(words[start - 1] ?? '')) return start - 1;
  return TO.test(words[middle] as string) ? start : undefined;
}

function amountAt(words: readonly string[], place: number, step: 1 | -1, { isCurrency }: Readers) {
  const places = [place];
  const currencyAt = (at: number) => {
    const word = words[at];
    if (!isCurrency(word)) return undefined;
    places.push(at);
    return word;
  };
  const before = currencyAt(place);
  const at = before === undefined ? place : place + step;
  const [amount] = readWrittenAmount(words[at] ?? '');
  if (amount === undefined) return undefined;
  places.push(at);
  const currency = before ?? currencyAt(at + step);
  return { amount, currency, first: Math.min(...places), last: Math.max(...places) };
}

const placesOf = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
