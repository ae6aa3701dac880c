/**
 * What a terminal would obey or reorder instead of showing: control characters, the escape character among them,
 * characters that change the direction of text, and Unicode's own line ends.
 */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const UNSEEN_IN_LINE = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * One line of text as it may reach a terminal: each character that would not be shown is written as \uXXXX.
 *
 * JSON stays valid and keeps its value, because JSON escapes characters in the same way.
 */
export function visible(line: string): string {
  return line.replace(UNSEEN, escaped);
}

/** The same for several lines: line feeds stay. */
export function visibleLines(text: string): string {
  return text.replace(UNSEEN_IN_LINE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
