import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible, visibleLines } from './visible.ts';

const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => code).filter((code) => code < 0x20 || code > 0x7e);
const DIRECTIONS = [
  0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
];
const LINE_ENDS = [0x2028, 0x2029];
const UNSEEN = [...CONTROLS, ...DIRECTIONS, ...LINE_ENDS].map((code) => String.fromCharCode(code));

test('every control character, line end and direction character is escaped', () => {
  for (const character of UNSEEN) {
    const shown = visible(`a${character}b`);
    assert.match(shown, /^a\\u[0-9a-f]{4}b$/);
    assert.equal(JSON.parse(`"${shown}"`), `a${character}b`);
  }
  assert.equal(visible('\u001b[31m\u202e'), '\\u001b[31m\\u202e');
});

test('all other characters stay unchanged', () => {
  const text = 'größer "x" \\ 😀 שלום \u00a0 日本語';
  assert.equal(visible(text), text);
  assert.equal(visibleLines(`${text}\n${text}`), `${text}\n${text}`);
});

test('visibleLines keeps line feeds and escapes other control characters', () => {
  assert.equal(visibleLines('a\r\nb\tc\n'), 'a\\u000d\nb\\u0009c\n');
  assert.equal(visible('a\nb'), 'a\\u000ab');
});
