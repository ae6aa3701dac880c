/**
 * Characters that a terminal acts on instead of showing them: control characters such as escape, characters
 * that change the direction of text, and the line ends of Unicode.
 */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const UNSEEN_IN_LINE = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Escapes one line of text for a terminal. Each character that would not be shown becomes its JSON escape,
 * such as \u001b. JSON stays valid and keeps its value.
 */
export function visible(line: string): string {
  return line.replace(UNSEEN, escaped);
}

/** Printable ASCII and line feeds: nearly every line of the log. */
const PLAIN_LINES = /^[\x20-\x7e\n]*$/;

/** Escapes several lines but keeps line feeds. */
export function visibleLines(text: string): string {
  return PLAIN_LINES.test(text) ? text : text.replace(UNSEEN_IN_LINE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Invisible characters. U+2800 is the Braille pattern without dots. */
const NOT_SEEN = String.raw`\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;
const UNSEEN_OR_LIKE_SPACE = new RegExp(`[${NOT_SEEN}]|(?! )\\p{Zs}`, 'u');
const SEEN = new RegExp(`[^\\s${NOT_SEEN}]`, 'u');

/**
 * True if a text has an invisible character or an unusual space, and so differs from a text that looks the
 * same.
 */
export const hasUnseen = (text: string): boolean => UNSEEN_OR_LIKE_SPACE.test(text);

export const isSeen = (text: string): boolean => SEEN.test(text);
