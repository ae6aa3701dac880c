import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { buffersInUse } from '../rig/run/heap.ts';
import { buildTestApp } from '../rig/service/app.ts';

const READERS = 20;
/** More than the kernel buffers for a connection. */
const REQUESTS_EACH = 5;
const PIPELINED = 2000;
const SCRIPT = '/docs/static/swagger-ui-bundle.js';
const MEMORY_BYTES = 16 * 2 ** 20;

/** How many files of the page this process has open. */
function openFiles(): number {
  const folder = '/proc/self/fd';
  const opened = readdirSync(folder).filter((descriptor) => {
    try {
      return readlinkSync(`${folder}/${descriptor}`).includes('swagger-ui');
    } catch {
      return false; // The descriptor that lists them is gone.
    }
  });
  return opened.length;
}

test('callers that request the largest file of the page and do not read it hold little memory, and no file once they are gone', async (t) => {
  const app = await buildTestApp();
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.server.close());
  const script = await (await fetch(`${origin}${SCRIPT}`)).text();
  assert.ok(script.length > 2 ** 20);

  const before = await buffersInUse();
  const readers = Array.from({ length: READERS }, () =>
    connect(Number(new URL(origin).port), '127.0.0.1').pause(),
  );
  for (const reader of readers)
    reader.write(`GET ${SCRIPT} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(REQUESTS_EACH));
  while (openFiles() === 0) await delay(10);
  // Long enough for each of them to get all that is sent without reading.
  await delay(1500);
  const held = (await buffersInUse(before + MEMORY_BYTES)) - before;
  assert.ok(held < MEMORY_BYTES, `${READERS} readers hold ${held} bytes`);

  for (const reader of readers) reader.destroy();
  while (openFiles() > 0) await delay(10);
  assert.equal(await (await fetch(`${origin}${SCRIPT}`)).text(), script);
});

test(`a caller that pipelines ${PIPELINED} requests for it and reads nothing holds one piece of one response`, async (t) => {
  const app = await buildTestApp();
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.server.close());
  await (await fetch(`${origin}${SCRIPT}`)).arrayBuffer();

  const before = await buffersInUse();
  const reader = connect(Number(new URL(origin).port), '127.0.0.1').pause();
  reader.on('error', () => {});
  reader.write(`GET ${SCRIPT} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(PIPELINED));
  while (openFiles() === 0) await delay(10);
  const held = (await buffersInUse(before + MEMORY_BYTES / READERS)) - before;
  assert.ok(held < MEMORY_BYTES / READERS, `it holds ${held} bytes`);
  assert.ok(openFiles() <= 1, `${openFiles()} files are open`);
  reader.destroy();
  while (openFiles() > 0) await delay(10);
});
