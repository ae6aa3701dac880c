import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter } from './sender.ts';

const NOW_MS = Date.UTC(1994, 10, 6, 8, 49, 0);

test('Retry-After in seconds is a time from now', () => {
  for (const [text, milliseconds] of [
    ['0', 0],
    ['1', 1000],
    ['007', 7000],
    ['86400', 86_400_000],
  ] as const)
    assert.equal(parseRetryAfter(text, NOW_MS), milliseconds, text);
});

test('Retry-After in each form of a date is a time from now, and a past date is now', () => {
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ]) {
    assert.equal(parseRetryAfter(text, NOW_MS), 37_000, text);
    assert.equal(parseRetryAfter(text, NOW_MS + 60_000), 0, text);
  }
});

test('the time zone of this machine does not change Retry-After', (context) => {
  const before = process.env['TZ'];
  context.after(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
  process.env['TZ'] = 'Pacific/Auckland';
  assert.equal(parseRetryAfter('Sun Nov  6 08:49:37 1994', NOW_MS), 37_000);
});

test('a Retry-After that is neither is ignored', () => {
  for (const text of [
    undefined,
    '',
    ' ',
    '-1',
    '1.5',
    '1e3',
    '+5',
    '0x10',
    'soon',
    '12345678901',
    '1994-11-06',
  ])
    assert.equal(parseRetryAfter(text, NOW_MS), null, text);
  for (const text of ['Sun, 99 Nov 1994 08:49:37 GMT', 'Sun', 'Sunday, someday GMT', 'Sun, 06 Nov 1994'])
    assert.ok((parseRetryAfter(text, NOW_MS) ?? 0) >= 0, text);
});
