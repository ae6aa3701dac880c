import { withLatinDigits } from '../../src/values/written-amount.ts';
import { currenciesOf } from './currency-signs.ts';

/** The sign of a currency, with the letters of a country before it: US$. */
const SIGN = /([-\u2212]?)((?<!\p{L})\p{Lu}{1,2}\p{Sc}|[\p{Sc}\u5186\u5143])([-\u2212]?)/gu;
/** A space that only groups the digits of a number. */
const GROUPING_SPACE = /(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))/g;
/** A number with ordinary spaces, which also divide one number from another. */
const SPACED = /(?<!\S)[-\u2212]?\d{1,3}(?: \d{3})+(?:[.,](?:\d{1,2}|-{1,2}))?(?!\S)/g;

/** The words of a text in the characters of ASCII, where Unicode has others for the same. An amount is one word: "1'500". */
export function searchWords(text: string, language: string | undefined): string[] {
  const isCurrency = (word = '') => currenciesOf(word, language).length > 0;
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
