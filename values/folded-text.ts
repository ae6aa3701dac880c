/** Unicode does not decompose these letters, and ς is a σ at the end of a word. */
const BASES: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ı: 'i', ŧ: 't', ς: 'σ' };

/** In scripts other than Latin and Greek, an accent makes a different letter: й is not и. */
const ACCENTED = /(?![A-Za-z])[\p{Script=Latin}\p{Script=Greek}]/u;

export function foldedCharacter(character: string): string {
  const lower = character.toLowerCase();
  if (!ACCENTED.test(character)) return lower;
  const base = lower.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return BASES[base] ?? base;
}

const ASCII = /^[ -~]*$/;

export const foldedText = (text: string): string =>
  // Most texts are ASCII. For these, lower case is enough, and takes a tenth of the time.
  ASCII.test(text) ? text.toLowerCase() : Array.from(text.normalize('NFC'), foldedCharacter).join('');

/** In these scripts, two characters can form a word, so a text of two characters can be searched for. */
const WORD_CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export const minSearchedCharacters = (text: string): number => (WORD_CHARACTER.test(text) ? 2 : 3);
