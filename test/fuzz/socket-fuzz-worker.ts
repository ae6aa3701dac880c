import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { kindOf } from '../rig/http/problems.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { Random } from '../rig/run/random.ts';
import { runChunks } from '../rig/run/workers.ts';
import { fuzzBytes } from './fuzz-bytes.ts';
import type { FuzzResult } from './run-fuzz.ts';
import { apps, environment } from './service.ts';

const SOCKETS = 16;

const ports = {
  public: await portOf(apps.public.server.listen({ port: 0, host: '127.0.0.1' })),
  operator: await portOf(apps.operator.server.listen({ port: 0, host: '127.0.0.1' })),
};

runChunks(
  async ({ first, count }): Promise<FuzzResult> => {
    const byStatus: FuzzResult['byStatus'] = {};
    let next = first;
    const sender = async () => {
      while (next < first + count) {
        const status = await sendOne(next++);
        byStatus[status] = (byStatus[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: SOCKETS }, sender));
    const alive = await apps.public.server.inject('/livez');
    assert.equal(alive.statusCode, 200);
    return { requests: count, byStatus };
  },
  async () => {
    for (const { server } of Object.values(apps)) await server.close();
  },
);

async function portOf(listening: Promise<string>): Promise<number> {
  return Number(new URL(await listening).port);
}

/** The status of the first response, or "none" if the bytes are an incomplete request. */
async function sendOne(seed: number): Promise<string> {
  const { to, bytes } = fuzzBytes(new Random(seed), environment);
  const text = await exchange(ports[to], bytes);
  try {
    return checkResponses(text, /^\s*HEAD /.test(bytes.toString('latin1')));
  } catch (error) {
    const sent = JSON.stringify(bytes.toString('latin1'));
    throw new Error(`bytes ${seed}: ${(error as Error).message}\n${sent}\ngot\n${text}`, {
      cause: error,
    });
  }
}

async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => socket.destroy(new Error('left open')), GIVE_UP_MS);
  let failure: NodeJS.ErrnoException | undefined;
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server that has responded can reset the connection while the client still sends.
  socket.on('error', (error) => {
    failure = error;
  });
  socket.end(bytes);
  await once(socket, 'close');
  clearTimeout(timer);
  assert.notEqual(
    failure?.message,
    'left open',
    `a connection was left open after\n${JSON.stringify(bytes.toString('latin1'))}`,
  );
  return Buffer.concat(chunks).toString('latin1');
}

/** Every response of a connection is complete and documented, and errors are problems. */
function checkResponses(text: string, isHead: boolean): string {
  let first: string | undefined;
  let rest = text;
  while (rest !== '') {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1];
    assert.ok(status !== undefined, 'not an HTTP response');
    rest = rest.slice(head.length + 4);
    // The interim response to Expect.
    if (status === '100') continue;
    first ??= status;
    assert.ok(Number(status) < 500, `${status}`);
    assert.match(head, /\r\nrequest-id: [A-Za-z0-9._-]{1,64}(?=\r\n|$)/i);
    assert.match(head, /\r\nx-content-type-options: nosniff/i);
    assert.doesNotMatch(head, /\r\nx-injected/i);
    if (isHead || status === '304' || status === '204') return first;

    const { body, after } = bodyOf(head, rest);
    rest = after;
    if (Number(status) >= 400) checkProblem(status, head, body);
  }
  return first ?? 'none';
}

function bodyOf(head: string, rest: string): { body: string; after: string } {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    assert.ok(rest.length >= Number(length), 'the response is truncated');
    return { body: rest.slice(0, Number(length)), after: rest.slice(Number(length)) };
  }
  // For HTTP/1.0, a stream ends with its connection.
  if (/\r\nconnection: close/i.test(head) && !/\r\ntransfer-encoding/i.test(head))
    return { body: rest, after: '' };
  assert.match(head, /\r\ntransfer-encoding: chunked/i);
  // The stream of a truncated request is truncated as well.
  const end = rest.indexOf('\r\n0\r\n\r\n');
  if (rest.startsWith('0\r\n\r\n')) return { body: '', after: rest.slice(5) };
  return end === -1 ? { body: rest, after: '' } : { body: rest.slice(0, end), after: rest.slice(end + 7) };
}

function checkProblem(status: string, head: string, body: string): void {
  assert.match(head, /\r\ncontent-type: application\/problem\+json/i);
  const problem = JSON.parse(Buffer.from(body, 'latin1').toString('utf8'));
  const kind = kindOf(problem.code);
  assert.deepEqual([problem.status, problem.title], [kind?.status, kind?.title]);
  assert.equal(problem.status, Number(status));
  assert.ok(head.includes(problem.requestId), 'the request id differs from that of the header');
}
