import { foldedCharacter } from '../../values/folded-text.ts';

/** Where Unicode has letters with accents that a search does not compare: Latin and Greek. */
const ACCENTED: readonly (readonly [first: number, last: number])[] = [
  [0x41, 0x24f],
  [0x370, 0x3ff],
  [0x1e00, 0x1fff],
];

const FORMS = new Map<string, string[]>();
for (const [first, last] of ACCENTED) {
  for (let code = first; code <= last; code++) {
    const character = String.fromCodePoint(code);
    const folded = foldedCharacter(character);
    if (!/\p{L}/u.test(character)) continue;
    FORMS.set(folded, [...(FORMS.get(folded) ?? []), character]);
  }
}

/** Each character of a text with its forms: in upper and lower case, and with every accent. */
function formsOf(text: string): string[][] {
  return Array.from(text, (character) => {
    const cases = [character, character.toLowerCase(), character.toUpperCase()];
    const forms = [...cases, ...(FORMS.get(foldedCharacter(character)) ?? [])];
    return [...new Set(forms)].filter((form) => Array.from(form).length === 1);
  });
}

/** Characters in a bracket of a pattern, with neighbours as a range, which is compared faster than its members. */
function bracketOf(forms: string[]): string {
  const codes = forms.map((form) => form.codePointAt(0) as number).sort((one, other) => one - other);
  const ranges: [first: number, last: number][] = [];
  for (const code of codes) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === code - 1) range[1] = code;
    else ranges.push([code, code]);
  }
  const texts = ranges.map(([first, last]) => {
    const ends = String.fromCodePoint(first, ...(last > first ? [last] : []));
    return last > first + 1 ? ends.replace(/(?<=^.)/su, '-') : ends;
  });
  return `[${texts.join('')}]`;
}

/** A pattern of SQLite's GLOB that finds a text in every form of its letters. */
export function globOf(text: string): string {
  const part = (forms: string[]) =>
    forms.length > 1 || /[*?[]/.test(forms[0] as string) ? bracketOf(forms) : forms[0];
  return `*${formsOf(text).map(part).join('')}*`;
}

/** A regular expression of PostgreSQL that finds a text in every form of its letters. */
export function regularExpressionOf(text: string): string {
  const part = (forms: string[]) =>
    forms.length > 1 ? bracketOf(forms) : (forms[0] as string).replace(/[^\p{L}\p{N}\s]/u, '\\$&');
  return formsOf(text).map(part).join('');
}
