const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const OBJECT_START = '{'.charCodeAt(0);
const OBJECT_END = '}'.charCodeAt(0);
const ARRAY_START = '['.charCodeAt(0);
const ARRAY_END = ']'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

/** An object has a name twice: readers of JSON differ in which of the two values they take. */
export class RepeatedName extends Error {
  override readonly name = 'RepeatedName';
  readonly repeated: string;
  /** Names the place of the value. Source: RFC 6901. */
  readonly pointer: string;

  constructor(repeated: string, pointer: string) {
    super(`the name ${repeated} is repeated`);
    this.repeated = repeated;
    this.pointer = pointer;
  }
}

/**
 * The value of a JSON text in which no object has a name twice.
 *
 * Throws: SyntaxError if the text is not JSON; RepeatedName with the first name that is repeated.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The value has only the last of both.
  refuseRepeatedNames(text);
  return value;
}

/** An object or an array that has begun: `at` is the name or the index of the value that is being read. */
type Level = { names: Set<string>; at: string } | { names: null; at: number };

/** Reads a text that is known to be JSON: a string is a name if a colon follows. */
function refuseRepeatedNames(text: string): void {
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (level?.names && isNameBefore(text, end + 1)) {
        level.at = stringOf(text, at, end);
        if (level.names.has(level.at)) throw new RepeatedName(level.at, pointerTo(levels));
        level.names.add(level.at);
      }
      at = end;
    } else if (code === OBJECT_START || code === ARRAY_START) {
      level = code === OBJECT_START ? { names: new Set(), at: '' } : { names: null, at: 0 };
      levels.push(level);
    } else if (code === OBJECT_END || code === ARRAY_END) {
      levels.pop();
      level = levels.at(-1);
    } else if (code === COMMA && level?.names === null) {
      level.at++;
    }
  }
}

/** The place of the quotation mark that ends a string. One after an odd number of backslashes is part of the string. */
function endOfString(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
  } while (backslashes % 2 === 1);
  return end;
}

function isNameBefore(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
}

function stringOf(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end);
  return content.includes('\\') ? JSON.parse(`"${content}"`) : content;
}

const pointerTo = (levels: readonly Level[]) =>
  levels.map(({ at }) => `/${escapePointer(String(at))}`).join('');

/** A name as a part of a JSON pointer. Source: RFC 6901, section 4. */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
