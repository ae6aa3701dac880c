import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { outcomeOf } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const OLDER = '/usr/bin/node';
const NODE = existsSync(OLDER) ? OLDER : process.execPath;

transcript(import.meta.url, {
  commands: { node: (args, { cwd, env = {} }) => outcomeOf(execFile(NODE, args, { cwd, env })) },
});

test('the transcript has each command of the guide, in its order', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const blocks = read('../../docs/closing-a-month.md').matchAll(/```sh\n([\s\S]*?)```/g);
  const commands = [...blocks].flatMap(([, block = '']) => block.trim().split('\n'));
  assert.ok(commands.length >= 7);
  const played = read('closing-a-month.txt');
  let from = 0;
  for (const command of commands) {
    const line = command
      .replaceAll('http://127.0.0.1:3000', '<url>')
      .replace('curl -O', 'curl -sO')
      .replace('$KEY', '<tk_live_1>')
      .replace('--after 25', '--after 6');
    const at = played.indexOf(`$ ${line}\n`, from);
    assert.ok(at >= 0, `the transcript does not have ${line}`);
    from = at;
  }
});
