import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedText, minSearchedCharacters } from './folded-text.ts';

test('a text is compared without its accents and in lower case, in whichever form Unicode has it', () => {
  for (const [text, folded] of [
    ['Müller', 'muller'],
    ['Mu\u0308ller', 'muller'],
    ['ŁÓDŹ', 'lodz'],
    ['İstanbul ışık', 'istanbul isik'],
    ['Øre Đà Nẵng', 'ore da nang'],
    ['Άνω', 'ανω'],
    ['Γιώργος ΓΙΩΡΓΟΣ', 'γιωργοσ γιωργοσ'],
    ['größe', 'große'],
  ] as const)
    assert.equal(foldedText(text), folded);
});

test('in other scripts, a mark makes another letter', () => {
  for (const text of ['が', 'ガ', 'й', '한글', 'हि']) assert.equal(foldedText(text), text.normalize('NFC'));
});

test('words of two characters can be searched for in scripts in which such words are common', () => {
  for (const text of ['株式', 'りん', 'カメ', '한글', 'A株'])
    assert.equal(minSearchedCharacters(text), 2, text);
  for (const text of ['ab', '12', 'йж', '']) assert.equal(minSearchedCharacters(text), 3, text);
});
