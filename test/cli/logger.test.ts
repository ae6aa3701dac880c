import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const LOGGING_PROCESS = fileURLToPath(new URL('../rig/logging-process.ts', import.meta.url));
const LINES = 100_000;
const MEMORY_BYTES = 4 * 2 ** 20;

test('where nobody reads the log any more, its lines do not gather in memory', async () => {
  const child = fork(LOGGING_PROCESS, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  const stderr = child.stderr as Readable;
  stderr.destroy();
  await once(stderr, 'close');
  child.send(LINES);
  const [heldBytes] = await once(child, 'message');
  assert.ok(heldBytes < MEMORY_BYTES, `${LINES} lines hold ${heldBytes} bytes`);
  assert.deepEqual(await exited, [0, null]);
});
