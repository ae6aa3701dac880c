import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECRET_PREFIXES } from '../caller.ts';
import { printNote, printResult, progress } from './output.ts';

function rig({ isTTY }: { isTTY: boolean }) {
  const state = { nowMs: 1000, printed: '' };
  const write = (text: string) => {
    state.printed += text;
    return true;
  };
  return { state, ...progress({ isTTY, write } as never, () => state.nowMs) };
}

test('progress is a line of a log every five seconds, which ends with three dots', () => {
  const { state, show, clear } = rig({ isTTY: false });
  for (const count of [1, 2, 3]) show(`copied ${count}`);
  assert.equal(state.printed, '');
  state.nowMs += 5000;
  for (const count of [4, 5]) show(`copied ${count}\u001b`);
  state.nowMs += 4999;
  show('copied 6');
  clear();
  assert.equal(state.printed, 'copied 4\\u001b ...\n');
});

test('progress is one line of a terminal, which is rewritten five times a second and removed', () => {
  const { state, show, clear } = rig({ isTTY: true });
  show('copied 1');
  clear();
  assert.equal(state.printed, '');
  for (const count of [2, 3]) {
    state.nowMs += 200;
    show(`copied ${count}`);
  }
  clear();
  clear();
  assert.equal(state.printed, '\r\u001b[Kcopied 2 ...\r\u001b[Kcopied 3 ...\r\u001b[K');
});

test('results and notes are escaped', (t) => {
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    t.mock.method(stream, 'write', (text: string) => printed.push(text) > 0);
  for (const print of [printResult, printNote]) print('a\u001b\nb');
  t.mock.restoreAll();
  assert.deepEqual(printed, Array(2).fill('a\\u001b\\u000ab\n'));
});

test('a note masks each kind of key and code, such as one that is given in the place of an argument', (t) => {
  let printed = '';
  t.mock.method(process.stderr, 'write', (text: string) => {
    printed += text;
    return true;
  });
  printNote(...SECRET_PREFIXES.map((prefix) => `${prefix}${'0aZ'.repeat(12)} is wrong`));
  assert.equal(printed, SECRET_PREFIXES.map((prefix) => `${prefix}... is wrong\n`).join(''));
});
