const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const OBJECT_START = '{'.charCodeAt(0);
const OBJECT_END = '}'.charCodeAt(0);
const ARRAY_START = '['.charCodeAt(0);
const ARRAY_END = ']'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

/** Thrown if an object has the same name twice. JSON readers differ in which of the two values they take. */
export class RepeatedName extends Error {
  override readonly name = 'RepeatedName';
  readonly repeated: string;
  /** A JSON pointer to the second value. Source: RFC 6901. */
  readonly pointer: string;

  constructor(repeated: string, pointer: string) {
    super(`the name ${repeated} is repeated`);
    this.repeated = repeated;
    this.pointer = pointer;
  }
}

/** Throws: SyntaxError if the text is not JSON; RepeatedName for the first name that an object repeats. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // JSON.parse accepts an object that repeats a name. `readNames` throws RepeatedName for it.
  const names = readNames(text);
  return names.some(({ isEscaped }) => isEscaped) ? parseWithNames(text, names) : value;
}

/** A string that begins like a JSON object is probably an object that was encoded twice. */
export const isJsonObjectText = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*\{\s*["}]/.test(value);

interface Name {
  name: string;
  isEscaped: boolean;
  start: number;
  end: number;
}

/** Names become numbers, because V8 confuses escaped names: https://github.com/nodejs/node/issues/63785. */
function parseWithNames(text: string, names: readonly Name[]): unknown {
  let numbered = '';
  let written = 0;
  for (const [number, { start, end }] of names.entries()) {
    numbered += `${text.slice(written, start)}"${number}"`;
    written = end + 1;
  }
  const value: unknown = JSON.parse(numbered + text.slice(written));
  const left = [value];
  for (const one of left) {
    if (typeof one !== 'object' || one === null) continue;
    const members = Object.entries(one);
    for (const [, member] of members) left.push(member);
    if (!Array.isArray(one)) rename(one, members, names);
  }
  return value;
}

function rename(object: object, members: [number: string, member: unknown][], names: readonly Name[]): void {
  for (const [number] of members) Reflect.deleteProperty(object, number);
  const properties = { configurable: true, enumerable: true, writable: true };
  // Assigning to __proto__ would set the prototype.
  for (const [number, value] of members)
    Object.defineProperty(object, names[Number(number)]?.name ?? '', { ...properties, value });
}

type Level = { names: Set<string>; at: string } | { names: null; at: number };

/** In valid JSON, a string is a name if a colon follows it. */
function readNames(text: string): Name[] {
  const names: Name[] = [];
  const levels: Level[] = [];
  let level: Level | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (level?.names && isNameBefore(text, end + 1)) {
        const written = text.slice(at, end + 1);
        const isEscaped = written.includes('\\');
        level.at = isEscaped ? JSON.parse(written) : written.slice(1, -1);
        if (level.names.has(level.at)) throw new RepeatedName(level.at, pointerTo(levels));
        level.names.add(level.at);
        names.push({ name: level.at, isEscaped, start: at, end });
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
  return names;
}

/** A quotation mark after an odd number of backslashes belongs to the string. */
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

const pointerTo = (levels: readonly Level[]) =>
  levels.map(({ at }) => `/${escapePointer(String(at))}`).join('');

/** Source: RFC 6901, section 4. */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
