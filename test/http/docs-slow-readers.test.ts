import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { buffersInUse } from '../rig/run/heap.ts';
import { buildTestApp } from '../rig/service/app.ts';

const READERS = 20;
/** More than the kernel buffers for a connection. */
const REQUESTS_EACH = 100;
const PIPELINED = 2000;
/** The largest text that the listener makes for a caller. */
const LARGEST = '/guides/search.json';
const MEMORY_BYTES = 16 * 2 ** 20;
/** Of one reader. */
const SHARE_BYTES = MEMORY_BYTES / READERS;

/** A service whose largest page is made, with the number of requests that it has begun. */
async function serve(t: { after: (end: () => Promise<unknown>) => void }) {
  const app = await buildTestApp();
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.server.close());
  const text = await (await fetch(origin + LARGEST)).text();
  assert.ok(text.length > 100_000);
  let begun = 0;
  app.server.server.on('request', () => {
    begun++;
  });
  const port = Number(new URL(origin).port);
  return { origin, port, text, begun: () => begun };
}

const request = (host: string) => `GET ${LARGEST} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

test('callers that request the largest page, by many names of the service, and do not read it hold little memory', async (t) => {
  const { origin, port, text, begun } = await serve(t);
  const before = await buffersInUse();
  const readers = Array.from({ length: READERS }, () => connect(port, '127.0.0.1').pause());
  for (const [index, reader] of readers.entries())
    reader.write(request(`name-${index}.example`).repeat(REQUESTS_EACH));
  while (begun() < READERS) await delay(10);
  // Long enough for each of them to get all that is sent without reading.
  await delay(1500);
  const held = (await buffersInUse(before + MEMORY_BYTES)) - before;
  assert.ok(held < MEMORY_BYTES, `${READERS} readers hold ${held} bytes`);
  for (const reader of readers) reader.destroy();
  assert.equal(await (await fetch(origin + LARGEST)).text(), text);
});

test(`a caller that pipelines ${PIPELINED} requests for it and reads nothing holds one response`, async (t) => {
  const { port, begun } = await serve(t);
  const before = await buffersInUse();
  const reader = connect(port, '127.0.0.1').pause();
  reader.on('error', () => {});
  reader.write(request('x').repeat(PIPELINED));
  while (begun() === 0) await delay(10);
  await delay(1000);
  const held = (await buffersInUse(before + SHARE_BYTES)) - before;
  assert.ok(held < SHARE_BYTES, `it holds ${held} bytes`);
  reader.destroy();
});
