import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const LOGGING_PROCESS = fileURLToPath(new URL('../rig/service/logging-process.ts', import.meta.url));
const LINES = 100_000;
const MEMORY_BYTES = 4 * 2 ** 20;
const UNREAD_LINES = 400_000;
const UNREAD_MEMORY_BYTES = 48 * 2 ** 20;

test('lines do not fill the memory after the reader of the log has gone', async () => {
  const child = fork(LOGGING_PROCESS, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  const stderr = child.stderr as Readable;
  stderr.destroy();
  await once(stderr, 'close');
  child.send(LINES);
  const [heldBytes] = await once(child, 'message');
  assert.ok(heldBytes < MEMORY_BYTES, `${LINES} lines hold ${heldBytes} bytes`);
  assert.deepEqual(await exited, [0, null]);
});

test('if the reader of the log stalls, lines are dropped and counted, and logging continues when it reads again', async () => {
  const child = fork(LOGGING_PROCESS, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  child.send(UNREAD_LINES);
  const [heldBytes] = await once(child, 'message');
  assert.ok(heldBytes < UNREAD_MEMORY_BYTES, `${UNREAD_LINES} lines hold ${heldBytes} bytes`);
  const lines = (await text(child.stderr as Readable)).trim().split('\n');
  assert.deepEqual(await exited, [0, null]);
  const { dropped } = JSON.parse(lines.at(-1) ?? '');
  assert.ok(dropped > 0);
  assert.equal(lines.length - 1 + dropped, UNREAD_LINES);
});
