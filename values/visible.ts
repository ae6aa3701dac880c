/** A terminal acts on these characters, such as U+001B, instead of showing them. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const UNSEEN_IN_LINE = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Replaces each unseen character by its JSON escape, such as \u001b. JSON still has the same meaning. */
export function visible(line: string): string {
  return line.replace(UNSEEN, escaped);
}

/** Nearly every line of the log matches, so `visibleLines` seldom needs the slower `replace`. */
const PLAIN_LINES = /^[\x20-\x7e\n]*$/;

export function visibleLines(text: string): string {
  return PLAIN_LINES.test(text) ? text : text.replace(UNSEEN_IN_LINE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** U+2800 is the Braille pattern without dots. */
const NOT_SEEN = String.raw`\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;
const UNSEEN_OR_LIKE_SPACE = new RegExp(`[${NOT_SEEN}]|(?! )\\p{Zs}`, 'u');
const SEEN = new RegExp(`[^\\s${NOT_SEEN}]`, 'u');

/** An invisible character or an unusual space can make two different texts look the same. */
export const hasUnseen = (text: string): boolean => UNSEEN_OR_LIKE_SPACE.test(text);

export const isSeen = (text: string): boolean => SEEN.test(text);
