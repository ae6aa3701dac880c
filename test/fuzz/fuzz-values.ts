import type { Random } from '../rig/run/random.ts';

export const STRANGE = [
  '',
  ' ',
  '%',
  '%zz',
  '%00',
  '%C3%28',
  '%ff%fe',
  '%F0%9F%98%80',
  '\u0000',
  'ä',
  '😀',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '[]',
  '{}',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e309',
  '9007199254740993',
  '../../etc/passwd',
  "' OR 1=1 --",
  '"><script>',
  '{{7*7}}',
  '\r\nX-Injected: 1',
  'a'.repeat(300),
  'a'.repeat(4100),
  '%25'.repeat(100),
];
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

/** Truncates the text, repeats it, changes a character or inserts a strange value. */
export function mutated(random: Random, text: string): string {
  const at = random.integer(0, text.length);
  const rest = text.slice(at + random.integer(0, 1));
  switch (random.integer(0, 5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + random.pick([...PRINTABLE]) + rest;
    case 2:
      return text.slice(0, at) + random.pick(STRANGE) + text.slice(at);
    case 3:
      return text + text.slice(at);
    case 4:
      return text.slice(0, at) + rest;
    default:
      return random.chance(0.5) ? text.toUpperCase() : text.split('').reverse().join('');
  }
}

/** A valid value, an almost valid one, or an unrelated one. */
export function variantOf(random: Random, ...valid: string[]): string {
  const choice = random.integer(0, 9);
  if (choice <= 4) return random.pick(valid);
  if (choice <= 7) return mutated(random, random.pick(valid));
  if (choice === 8) return random.pick(STRANGE);
  return random.text(PRINTABLE, 0, 40);
}

export function variantOfDate(random: Random): string {
  const year = random.pick(['2026', '2026', '2026', '2024', '0000', '9999', '0001', '10000', '-001']);
  const month = String(random.integer(0, 13)).padStart(2, '0');
  const day = String(random.integer(0, 32)).padStart(2, '0');
  return variantOf(random, `${year}-${month}-${day}`, '2026-03-01', '2026-02-28');
}

/** Hardly any field allows this value. */
function invalidValue(random: Random): unknown {
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  return random.pick([
    null,
    true,
    random.integer(-5, 5),
    1e308,
    12.5,
    [],
    {},
    ['12.50'],
    { toString: 'x' },
    deep(200),
    random.pick(STRANGE),
    '2026-02-30T00:00:00.000Z',
    '2026-03-31T09:30:00.0001Z',
    '12.345',
    '1e3',
    '99999999999999.99',
    'x'.repeat(300),
  ]);
}

/** Up to three fields of the body are missing, invalid or added. */
export function altered(random: Random, fields: object): Record<string, unknown> {
  const body: Record<string, unknown> = { ...fields };
  for (let count = random.integer(0, 3); count > 0; count--) {
    const name = random.pick([...Object.keys(fields), 'account', 'reference', random.pick(STRANGE)]);
    if (random.chance(0.3)) delete body[name];
    else body[name] = invalidValue(random);
  }
  return body;
}

/** Complete, truncated or unrelated JSON, or random bytes. */
export function serialized(random: Random, value: unknown): string | Buffer {
  const text = JSON.stringify(value);
  const choice = random.integer(0, 9);
  if (choice <= 5) return text;
  if (choice <= 7) return mutated(random, text);
  if (choice === 8)
    return random.pick(['', '[]', 'null', '1', '"x"', '{"__proto__":{"a":1}}', '{"a":1,"a":2}']);
  return Buffer.from(random.bytes(random.integer(0, 200)));
}
