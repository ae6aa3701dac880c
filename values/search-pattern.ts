import { foldedCharacter } from './folded-text.ts';

const ACCENTED: readonly (readonly [first: number, last: number])[] = [
  [0x41, 0x24f],
  [0x370, 0x3ff],
  [0x1e00, 0x1fff],
];

const LETTERS_OF_PAIR: Readonly<Record<string, string>> = {
  ae: 'äÄæÆ',
  oe: 'öÖøØœŒ',
  ue: 'üÜ',
  aa: 'åÅ',
  ss: 'ßẞ',
};
const PAIR_OF_LETTER = new Map(
  Object.entries(LETTERS_OF_PAIR).flatMap(([pair, letters]) =>
    Array.from(letters, (letter): [string, string] => [letter, pair]),
  ),
);

const MAX_UNDECIDED = 3;

/** Apostrophes and dashes, which keyboards, word processors and banks write differently. */
const SIGNS = ["'‘’‛ʹʻʼˈ`´′＇", '-‐‑‒–—―⁃−﹘﹣－'];

const FORMS = new Map<string, string[]>();
for (const [first, last] of ACCENTED)
  for (let code = first; code <= last; code++) {
    const character = String.fromCodePoint(code);
    if (!/\p{L}/u.test(character)) continue;
    const folded = foldedCharacter(character);
    FORMS.set(folded, [...(FORMS.get(folded) ?? []), character]);
  }

const FULL_WIDTH = 0xfee0;
const asciiOf = (character: string) =>
  /[！-～]/.test(character) ? String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH) : character;
const fullWidthOf = (character: string) =>
  /[!-~]/.test(character)
    ? [character, String.fromCharCode(character.charCodeAt(0) + FULL_WIDTH)]
    : [character];

function formsOf(character: string): string[] {
  const signs = SIGNS.find((forms) => forms.includes(character));
  if (signs !== undefined) return Array.from(signs);
  const cases = [character, character.toLowerCase(), character.toUpperCase()];
  const forms = [...cases, ...(FORMS.get(foldedCharacter(character)) ?? [])];
  return [...new Set(forms.flatMap(fullWidthOf))].filter((form) => Array.from(form).length === 1);
}

const escapedCode = (code: number) => String.fromCodePoint(code).replace(/[\\\]^[-]/, '\\$&');

function bracketOf(characters: readonly string[]): string {
  const codes = characters.map((one) => one.codePointAt(0) as number).sort((one, other) => one - other);
  const ranges: [first: number, last: number][] = [];
  for (const code of new Set(codes)) {
    const range = ranges.at(-1);
    if (range?.[1] === code - 1) range[1] = code;
    else ranges.push([code, code]);
  }
  const texts = ranges.map((ends) => [...new Set(ends)].map(escapedCode).join('-'));
  return `[${texts.join('')}]`;
}

/** In "sss", either the first two or the last two letters can be one ß. */
const THREE_S = '(?:[Ss][ßẞ]|[ßẞ][Ss]|[Ss]{3})';
const TOKEN = new RegExp(`s{3}|${Object.keys(LETTERS_OF_PAIR).join('|')}|.`, 'gisu');

/**
 * A regular expression for JavaScript (with the flag u) and for PostgreSQL. It ignores case, accents,
 * full-width forms, and the kinds of apostrophes and dashes. The compared texts must be in the form NFC.
 *
 * An å in a compared text matches both "a" and "aa" in `text`. With many "aa" or å in `text`, a comparison
 * could take exponential time. So only the first MAX_UNDECIDED of these match one letter as well as two.
 */
export function searchPattern(text: string): string {
  let undecided = 0;
  return Array.from(text.normalize('NFC'), asciiOf)
    .join('')
    .replaceAll(TOKEN, (token) => {
      const lower = token.toLowerCase();
      if (lower === 'sss') return THREE_S;
      const pair = lower in LETTERS_OF_PAIR ? lower : PAIR_OF_LETTER.get(token);
      const characters = Array.from(token, formsOf);
      if (pair === undefined || (pair === 'aa' && ++undecided > MAX_UNDECIDED))
        return characters.map(bracketOf).join('');
      const letters = [
        ...(LETTERS_OF_PAIR[pair] as string),
        ...(characters.length === 1 ? characters.flat() : []),
      ];
      return `(?:${Array.from(pair, (letter) => bracketOf(formsOf(letter))).join('')}|${bracketOf(letters)})`;
    });
}

const expressions = new Map<string, RegExp>();
const MAX_EXPRESSIONS = 16;

export function searchExpression(text: string): RegExp {
  let expression = expressions.get(text);
  if (expression === undefined) {
    if (expressions.size === MAX_EXPRESSIONS) expressions.clear();
    expression = new RegExp(searchPattern(text), 'u');
    expressions.set(text, expression);
  }
  return expression;
}

export const containsText = (text: string, part: string): boolean =>
  searchExpression(part).test(text.normalize('NFC'));
