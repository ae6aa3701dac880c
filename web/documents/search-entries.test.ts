import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, findEntries, foundLength, termsOf } from './search-entries.ts';

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

const find = (query: string, entries: readonly Entry[] = ENTRIES) => findEntries(entries, termsOf(query));
const headings = (query: string) => find(query).found.map(({ heading }) => heading);
const wordsOf = (query: string) => termsOf(query).map(({ word }) => word);

test('a heading comes before a text, and entries with every word before all others', () => {
  assert.deepEqual(headings('backup'), ['Backup and restore', 'Keys']);
  assert.deepEqual(headings('revoke hashes'), ['Keys']);
  assert.deepEqual(find('revoke hashes').isWhole, true);
});

test('if no entry has all words, the entries with most of them are found', () => {
  const { found, isWhole } = find('please roll or revoke a zebra');
  assert.deepEqual([found[0]?.heading, found.length, isWhole], ['Keys', 1, false]);
  assert.deepEqual(find('zebra'), { found: [], isWhole: false });
});

test('words are found by their beginnings, in any case, also names of settings and codes', () => {
  assert.deepEqual(headings('keep_al'), ['KEEP_ALIVE_TIMEOUT']);
  assert.deepEqual(headings('RATE_LIMITED'), ['rate_limited: too many']);
  assert.deepEqual(headings('tore'), []);
});

test('a whole word in a text comes before a longer word in a heading', () => {
  const entries = [entry('The change feed', 'Feeds.'), entry('Money', 'A fee is negative.')];
  assert.deepEqual(find('fee', entries).found[0]?.heading, 'Money');
});

test('a word is found in its other forms and by its synonyms, after entries with the word itself', () => {
  assert.equal(headings('copied databases')[0], 'Backup and restore');
  const entries = [
    entry('Accounts', 'Lists them.'),
    entry('Deleting an account', 'For good.'),
    entry('Erasing', 'x'),
  ];
  assert.equal(find('erased merchants', entries).found[0]?.heading, 'Deleting an account');
  assert.equal(find('erase', entries).found[0]?.heading, 'Erasing');
});

test('a rare word in a heading ranks higher than all words in a text', () => {
  const entries = [
    entry('Monitoring', 'The log is long. A cursor is in no line of it, and the service is live.'),
    entry('A cursor that expired', 'It works for 24 hours.'),
    ...Array.from({ length: 40 }, (_, index) => entry(`Setting ${index}`, 'How long it can live.')),
  ];
  const { found, isWhole } = find('how long does a cursor live', entries);
  assert.deepEqual([found[0]?.heading, isWhole], ['A cursor that expired', true]);
});

test('the beginning of a word is marked as far as it was typed, and another form of it whole', () => {
  const terms = termsOf('exp keys');
  const lengths = ['expired', 'Key', 'monkey', 'rolled'].map((word) => foundLength(word, terms));
  assert.deepEqual(lengths, [3, 3, 0, 0]);
});

test('an empty query, or a query of special characters, finds nothing and does not fail', () => {
  for (const query of ['', '  ', '(((', '\\', '*.*', '[']) assert.deepEqual(headings(query), []);
  assert.deepEqual(wordsOf('x.y (z)'), ['x', 'y', 'z']);
  assert.deepEqual(wordsOf('How do I roll the key of my account?'), ['roll', 'key', 'account']);
  assert.deepEqual(wordsOf('how to'), ['how', 'to']);
});

test('the excerpt begins near the first word that was found', () => {
  const long = entry('Long', `${'before '.repeat(100)}needle ${'after '.repeat(100)}`);
  const [found] = find('needle', [long]).found;
  assert.match(found?.excerpt ?? '', /^before .{0,60}needle/);
  assert.ok((found?.excerpt.length ?? 0) <= 152 && found?.excerpt.endsWith(' …'));
});
