import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashText } from './shards.ts';

/** The results of `hashtext` in PostgreSQL 15. */
const HASHES: Readonly<Record<string, number>> = {
  '': -1477818771,
  a: 1075015857,
  'acct-1': 1178743098,
  '0123456789ab': -1437215093,
  'acct-with-a-long-name.01': -1665772250,
};

test('the hash of a text is that of PostgreSQL', () => {
  for (const [text, hash] of Object.entries(HASHES)) assert.equal(hashText(text), hash, text);
});
