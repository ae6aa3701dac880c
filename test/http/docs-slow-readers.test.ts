import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../rig/http/connection.ts';
import { buffersInUse } from '../rig/run/heap.ts';
import { buildTestApp } from '../rig/service/app.ts';

const READERS = 20;
const PIPELINED = 2000;
/** The largest text that the listener generates for a caller. */
const LARGEST = '/guides/search.json';
const MEMORY_BYTES = 16 * 2 ** 20;

test(`for callers that pipeline ${PIPELINED} requests for the largest page under many host names and read nothing, the service holds one response each`, async (t) => {
  const app = await buildTestApp();
  const { port, open } = await listen(t, app.server);
  const page = async () => (await fetch(`http://127.0.0.1:${port}${LARGEST}`)).text();
  const text = await page();
  assert.ok(text.length > 100_000);
  let begun = 0;
  app.server.server.on('request', () => {
    begun++;
  });
  const before = await buffersInUse();
  for (let index = 0; index < READERS; index++) {
    const request = `GET ${LARGEST} HTTP/1.1\r\nHost: name-${index}.example\r\n\r\n`;
    open().pause().write(request.repeat(PIPELINED));
  }
  while (begun < READERS) await delay(10);
  // Enough time for the service to send all that it sends to callers that do not read.
  await delay(1500);
  const held = (await buffersInUse(before + MEMORY_BYTES)) - before;
  assert.ok(held < MEMORY_BYTES, `${READERS} readers hold ${held} bytes`);
  assert.equal(await page(), text);
});
