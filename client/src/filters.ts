import { ArgumentError } from './errors.ts';
import { checkNames } from './known-names.ts';

/** Half of a surrogate pair is refused, because it would be sent as another character. */
const LONE_SURROGATE = /\p{Surrogate}/u;

export function checkTexts(given: object, known: readonly string[]): Record<string, string> {
  if (typeof given !== 'object' || given === null) throw new ArgumentError('The filters are not an object.');
  checkNames('filter', given, known);
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value !== 'string') {
      const hint = value instanceof Date ? ' Use utcDay for a Date.' : '';
      throw new ArgumentError(`The filter ${name} is not a string.${hint}`);
    }
    if (LONE_SURROGATE.test(value)) throw new ArgumentError(`The filter ${name} is not valid Unicode.`);
    texts[name] = value;
  }
  return texts;
}

export function withQuery(path: string, texts: Record<string, string>): string {
  const search = String(new URLSearchParams(texts));
  return search === '' ? path : `${path}?${search}`;
}

/** @throws ArgumentError for texts that a URL would drop: an empty text, `.` and `..`. */
export function pathSegment(name: string, text: string): string {
  if (typeof text === 'string' && !/^\.{0,2}$/.test(text) && !LONE_SURROGATE.test(text))
    return encodeURIComponent(text);
  throw new ArgumentError(`The ${name} is empty, or cannot be part of a URL.`);
}
