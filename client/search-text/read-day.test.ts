import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDay } from './read-day.ts';

const TODAY = '2026-11-26';

function read(text: string, language = 'en', today = TODAY) {
  const words = text.split(' ');
  const found = readDay(words, 0, today, language);
  if (found !== undefined) assert.equal(found.length, words.length, text);
  return found?.days.join(' or ');
}

test('a day is read as people write it', () => {
  for (const [text, day] of [
    ['2026-11-24', '2026-11-24'],
    ['24.11.2026', '2026-11-24'],
    ['24.11.', '2026-11-24'],
    ['24.12.99', '1999-12-24'],
    ['24th of November', '2026-11-24'],
    ['27.11.', '2025-11-27'],
    ['24 Nov', '2026-11-24'],
    ['Nov 24', '2026-11-24'],
    ['Nov. 24, 2025', '2025-11-24'],
    ['1 Sept', '2026-09-01'],
    ['31 Dec', '2025-12-31'],
    ['today', '2026-11-26'],
    ['Yesterday,', '2026-11-25'],
    ['Thursday', '2026-11-26'],
    ['Friday', '2026-11-20'],
    ['last Tuesday', '2026-11-24'],
    ['last tues', '2026-11-24'],
    ['last Thursday', '2026-11-19'],
  ] as const)
    assert.equal(read(text), day, text);
});

test('a date with slashes is read in the order of the language, and the other possible day is also returned', () => {
  for (const [text, days, language] of [
    ['24/11/2026', '2026-11-24'],
    ['11/24/2026', '2026-11-24'],
    ['5/5/2026', '2026-05-05'],
    ['05/06/2026', '2026-05-06 or 2026-06-05', 'en-US'],
    ['05/06/2026', '2026-06-05 or 2026-05-06', 'en-GB'],
    ['05/06/2026', '2026-06-05 or 2026-05-06', 'sv'],
    ['05/06/2026', '2026-05-06 or 2026-06-05', 'ja'],
    ['12/1/2026', '2026-01-12 or 2026-12-01', 'de'],
    ['30/02/2026', undefined],
    ['13/13/2026', undefined],
  ] as const)
    assert.equal(read(text, language), days, text);
});

test('days are also read in the language of the browser', () => {
  for (const [text, language, day] of [
    ['heute', 'de', '2026-11-26'],
    ['Dienstag', 'de', '2026-11-24'],
    ['letzten Dienstag', 'de', '2026-11-24'],
    ['3. Okt', 'de', '2026-10-03'],
    ['3. M\u00e4rz 2025', 'de', '2025-03-03'],
    ['last Tuesday', 'de', '2026-11-24'],
    ['mardi dernier', 'fr', '2026-11-24'],
    ['vorgestern', 'de', '2026-11-24'],
    ['hier', 'fr', '2026-11-25'],
    ["aujourd'hui", 'fr', '2026-11-26'],
    ['aujourd\u2019hui', 'fr', '2026-11-26'],
    ['1er octobre', 'fr', '2026-10-01'],
    ['1er fevrier 2026', 'fr', '2026-02-01'],
    ['3. Maerz', 'de', '2026-03-03'],
    ['sabado', 'es', '2026-11-21'],
    ['1 de octubre de 2025', 'es', '2025-10-01'],
    ['heute', 'en', undefined],
    ['Dienstag', 'en', undefined],
    ['24 \u0622\u0628\u0627\u0646', 'fa-IR', undefined],
  ] as const)
    assert.equal(read(text, language), day, text);
});

test('a named day can be in the previous year, and 29 February is in the last leap year', () => {
  assert.equal(read('Tuesday', 'en', '2027-01-01'), '2026-12-29');
  assert.equal(read('yesterday', 'en', '2027-01-01'), '2026-12-31');
  assert.equal(read('29.2.', 'en', '2025-03-01'), '2024-02-29');
  assert.equal(read('29 Feb 2025'), undefined);
});

test('a text that is not a day is not read as one', () => {
  for (const text of ['24.11', '24', 'Nov', 'no 5', 'May 10482', 'last', 'last order', 'Tue', '2026-02-30'])
    assert.equal(read(text), undefined, text);
});
