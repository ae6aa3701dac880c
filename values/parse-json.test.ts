import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../test/rig/run/properties.ts';
import { inTier } from '../test/rig/run/tier.ts';
import { parseJson, RepeatedName } from './parse-json.ts';

type Written = string | number | boolean | null | { items: Written[] } | { members: [string, Written][] };

const name = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', '', '0', 'a/b', '~', '"', '\\', '\\"', ':', '{', 'é'),
  fc.string({ maxLength: 3 }),
);
const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(name, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.record({ items: fc.array(tie('written'), { maxLength: 4 }) }),
    fc.record({ members: fc.array(fc.tuple(name, tie('written')), { maxLength: 5 }) }),
  ),
}));

function write(value: Written, choices: readonly number[]): string {
  let used = 0;
  const choose = (options: number) => (choices[used++ % choices.length] as number) % options;
  const gap = () => ['', '', ' ', '\n\t', '\r\n  '][choose(5)] as string;
  const escaped = (text: string) =>
    `"${[...JSON.stringify(text).slice(1, -1)]
      .map((one) =>
        /[a-z]/.test(one) && choose(3) === 0 && !text.includes('\\') && !/[^ -~]|"/.test(text)
          ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
          : one,
      )
      .join('')}"`;
  const list = (open: string, parts: string[], close: string) =>
    `${gap()}${open}${gap()}${parts.join(`${gap()},${gap()}`)}${gap()}${close}${gap()}`;
  const text = (one: Written): string => {
    if (typeof one === 'string') return escaped(one);
    if (typeof one !== 'object' || one === null) return `${gap()}${JSON.stringify(one)}${gap()}`;
    if ('items' in one) return list('[', one.items.map(text), ']');
    const members = one.members.map(([key, member]) => `${escaped(key)}${gap()}:${gap()}${text(member)}`);
    return list('{', members, '}');
  };
  return text(value);
}

/** Does not use `JSON.parse`, which can return a member under the name of another: https://github.com/nodejs/node/issues/63785. */
function parsed(written: Written): unknown {
  if (typeof written !== 'object' || written === null) return written;
  if ('items' in written) return written.items.map(parsed);
  return Object.fromEntries(written.members.map(([key, member]) => [key, parsed(member)]));
}

function firstRepeated(value: Written, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members: [string, Written][] =
    'items' in value ? value.items.map((item, index) => [String(index), item]) : value.members;
  for (const [at, [key, member]] of members.entries()) {
    const pointer = `${path}/${key.split('~').join('~0').split('/').join('~1')}`;
    if (members.slice(0, at).some(([before]) => before === key)) return pointer;
    const within = firstRepeated(member, pointer);
    if (within !== undefined) return within;
  }
  return undefined;
}

test('a name that is repeated is found at any depth, however it is written, and nothing else is', () => {
  let repeated = 0;
  const choices = fc.array(fc.nat(100), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(written, choices, (value, chosen) => {
      const text = write(value, chosen);
      const expected = firstRepeated(value);
      if (expected === undefined) return assert.deepEqual(parseJson(text), parsed(value));
      repeated++;
      assert.throws(
        () => parseJson(text),
        (error) => error instanceof RepeatedName && error.pointer === expected,
      );
    }),
    { numRuns: inTier({ short: 500, long: 2000 }) },
  );
  assert.ok(repeated > 40, `${repeated} texts had a repeated name`);
});

test('a name with an escape is not mistaken for a name that was parsed before', () => {
  const parsedAfter = (earlier: string, text: string) => {
    parseJson(earlier);
    return parseJson(text);
  };
  assert.deepEqual(parsedAfter('{"h":[],"\\\\":0}', '{"h":1,"\\"":2}'), { h: 1, '"': 2 });
  assert.deepEqual(parsedAfter('{"h":[],"\\\\":0}', '{"h":1,"\\n":2}'), { h: 1, '\n': 2 });
  const account = parsedAfter('{"type":[],"\\\\u0061c":0}', '{"type":1,"\\u0061ccount":"x"}');
  assert.deepEqual(account, { type: 1, account: 'x' });
});

test('a text that is not JSON is a SyntaxError', () => {
  for (const text of ['', '{', '{"a":1,"a"}', '{"a":1,"a":}', '"', '{"a":1}}'])
    assert.throws(() => parseJson(text), SyntaxError);
});

test('a text of any depth is read', () => {
  const depth = 50_000;
  const text = `${'['.repeat(depth)}{"a":1,"a":2}${']'.repeat(depth)}`;
  assert.throws(() => parseJson(text), { name: 'RepeatedName', repeated: 'a' });
});
