import type { Random } from '../rig/run/random.ts';
import { mutated, STRANGE, variantOf } from './fuzz-values.ts';

/** A request of any kind, usually invalid. */
export interface FuzzRequest {
  to: 'public' | 'operator';
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

/** Existing keys and cursors, so that some requests are almost valid. */
export interface FuzzEnvironment {
  accountKey: string;
  operatorKey: string;
  cursors: readonly string[];
}

export const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
];

/** The header fields of a request, with a valid key or with any value. */
export function headers(random: Random, key: string, hasValidKey: boolean): Record<string, string> {
  const some: Record<string, string> = hasValidKey
    ? { authorization: `Bearer ${key}` }
    : random.chance(0.8)
      ? {
          authorization: variantOf(
            random,
            `Bearer ${key}`,
            `bearer  ${key}`,
            `Basic ${key}`,
            `Bearer ${key}, ${key}`,
          ),
        }
      : {};
  if (random.chance(0.1)) some['request-id'] = variantOf(random, 'a-good.id', 'x'.repeat(65));
  if (random.chance(0.1)) some['x-forwarded-for'] = variantOf(random, '10.0.0.1', '::1, 1.2.3.4');
  if (random.chance(0.1)) some['accept-encoding'] = variantOf(random, 'gzip', 'br;q=1');
  if (random.chance(0.1)) some['accept'] = variantOf(random, 'text/html', 'application/json');
  if (random.chance(0.05)) some['if-none-match'] = variantOf(random, '"x"', '*');
  if (random.chance(0.05)) some['range'] = variantOf(random, 'bytes=0-1');
  // Half of these make the head of the request too long.
  if (random.chance(0.05)) some['x-long'] = 'x'.repeat(random.integer(0, 32_000));
  return some;
}

/** A value that hardly any field allows. */
export function invalidValue(random: Random): unknown {
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

/** Complete, truncated or unrelated JSON, or random bytes. */
export function body(random: Random, value: unknown): string | Buffer {
  const text = JSON.stringify(value);
  const choice = random.integer(0, 9);
  if (choice <= 5) return text;
  if (choice <= 7) return mutated(random, text);
  if (choice === 8)
    return random.pick(['', '[]', 'null', '1', '"x"', '{"__proto__":{"a":1}}', '{"a":1,"a":2}']);
  return Buffer.from(random.bytes(random.integer(0, 200)));
}
