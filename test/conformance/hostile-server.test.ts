import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { runConformance } from '../../proof/conformance/index.js';
import { listenOn } from '../rig/http/loopback.ts';
import { KEY, runCommand, sendPage, startDeployment } from './run-command.ts';

test('a deployment that switches to another protocol does not stop the run', async (t) => {
  const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer));
  });
  const { exitCode, stopped } = await runConformance({ url: await listenOn(t, server), key: KEY });
  assert.equal(exitCode, 3);
  assert.match(stopped ?? '', /switches to another protocol/);
});

test('a key is replaced even if the report cuts an echoed text within the key', async (t) => {
  for (const length of [0, 1, 7, 20]) {
    const padding = 'x'.repeat(250 + length);
    const { url } = await startDeployment(t, ({ headers }, response) => {
      const row = { padding, echo: headers.authorization };
      response.end(JSON.stringify({ data: [row], nextCursor: null, hasMore: false }));
    });
    const report = JSON.stringify(await runConformance({ url, key: KEY, only: ['list.*'] }));
    assert.ok(report.includes('xxx'));
    assert.ok(!report.includes(KEY.slice(0, 20)), `after ${padding.length} characters`);
  }
});

test('an export that is larger than the kit reads is not judged, and any other response fails', async (t) => {
  const { url } = await startDeployment(t, (request, response) => {
    const isLong = request.url?.includes('to=0002') || request.url?.includes('status=pending');
    if (isLong) response.end('x'.repeat(100_000));
    else sendPage(request, response);
  });
  const only = ['export.any-range', 'status.accepted'];
  const { results } = await runConformance({ url, key: KEY, only, maxResponseBytes: 65_536 });
  const outcomes = Object.fromEntries(results.map(({ id, outcome }) => [id, outcome]));
  assert.deepEqual(outcomes, { 'status.accepted': 'failed', 'export.any-range': 'not judged' });
});

test('no control character of a deployment is in a report, in either format', async (t) => {
  const { url } = await startDeployment(t, (_, response) => response.end('{"code":"\u009b2J \u202e"}'));
  for (const format of ['text', 'json']) {
    const { stdout } = await runCommand('--url', url, '--key', KEY, '--only', 'list.*', '--format', format);
    assert.match(stdout, /\\u009b2J \\u202e/);
    assert.doesNotMatch(stdout, /[\u009b\u202e]/);
  }
});
