import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, findEntries, wordsOf } from './search-entries.ts';

const entry = (heading: string, text: string, page = 'Running'): Entry => ({
  address: `/guides/x#${heading}`,
  page,
  heading,
  text,
});

const ENTRIES = [
  entry('Backup and restore', 'Copies the database. A key is in it.'),
  entry('Keys', 'Create, roll and revoke. A backup has their hashes.'),
  entry('KEEP_ALIVE_TIMEOUT', 'How long a connection is kept.', 'Settings'),
  entry('rate_limited: too many', 'Raise RATE_LIMIT.', 'Errors'),
];

const headings = (query: string) => findEntries(ENTRIES, query).found.map(({ heading }) => heading);

test('a heading comes before a text, and entries with every word before all others', () => {
  assert.deepEqual(headings('backup'), ['Backup and restore', 'Keys']);
  assert.deepEqual(headings('revoke hashes'), ['Keys']);
  assert.deepEqual(findEntries(ENTRIES, 'revoke hashes').isWhole, true);
});

test('where no entry has all words, those with the most are found', () => {
  const { found, isWhole } = findEntries(ENTRIES, 'please roll or revoke a zebra');
  assert.deepEqual([found[0]?.heading, found.length, isWhole], ['Keys', 1, false]);
  assert.deepEqual(findEntries(ENTRIES, 'zebra'), { found: [], isWhole: false });
});

test('words are found by their beginnings, in any case, also names of settings and codes', () => {
  assert.deepEqual(headings('keep_al'), ['KEEP_ALIVE_TIMEOUT']);
  assert.deepEqual(headings('RATE_LIMITED'), ['rate_limited: too many']);
  assert.deepEqual(headings('tore'), []);
});

test('an empty query, and one of characters that have a meaning elsewhere, find nothing and fail nowhere', () => {
  for (const query of ['', '  ', '(((', '\\', '*.*', '[']) assert.deepEqual(headings(query), []);
  assert.deepEqual(wordsOf('x.y (z)'), ['x', 'y', 'z']);
  assert.deepEqual([wordsOf('how to roll the key'), wordsOf('to be')], [['roll', 'key'], ['be']]);
  assert.deepEqual(wordsOf('how to'), ['how', 'to']);
});

test('the excerpt begins near the first word that was found', () => {
  const long = entry('Long', `${'before '.repeat(100)}needle ${'after '.repeat(100)}`);
  const [found] = findEntries([long], 'needle').found;
  assert.match(found?.excerpt ?? '', /^before .{0,60}needle/);
  assert.ok((found?.excerpt.length ?? 0) <= 152 && found?.excerpt.endsWith(' …'));
});
