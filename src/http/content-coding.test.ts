import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentCodingOf } from './content-coding.ts';

test('the coding is the one with the highest weight, and of equal weights the smallest; a weight of 0 or an invalid one is none', () => {
  for (const [header, coding] of [
    [undefined, 'identity'],
    ['br', 'br'],
    ['x-gzip', 'gzip'],
    ['GZIP;Q=1.0', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br ; q=0.9 , gzip;q=0.9', 'br'],
    ['deflate, zstd', 'identity'],
    ['*', 'br'],
    ['br;q=0.1, *;q=0.2', 'gzip'],
    ['identity;q=0.5, gzip;q=0.2', 'identity'],
    ['identity;q=0.5, gzip;q=0.8', 'gzip'],
    ['identity;q=0, gzip;q=0.001', 'gzip'],
    ['brotli', 'identity'],
    ['br;q=0', 'identity'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0, *', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=2', 'identity'],
    ['br;level=5', 'identity'],
  ] as const)
    assert.equal(contentCodingOf(header, ['br', 'gzip']), coding, header);
});

test('only a coding that the response has is chosen', () => {
  for (const header of ['br, gzip', 'gzip', '*', 'br;q=1, *;q=0.1'])
    assert.equal(contentCodingOf(header, ['gzip']), 'gzip', header);
  assert.equal(contentCodingOf('br', ['gzip']), 'identity');
});
