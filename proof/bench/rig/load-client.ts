import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadRequest } from './load.ts';
import { percentileOf } from './statistics.ts';

const { url, requests, connections, perSecond, seconds } = JSON.parse(
  readFileSync(process.argv[2] as string, 'utf8'),
);
const { hostname: host, port } = new URL(url);
/** Each connection sends at least this many requests, even if one response takes longer than the run. */
const MIN_EACH = 4;

function textOf({ method = 'GET', path, headers = {}, body = '' }: LoadRequest): string {
  const fields = { host: `${host}:${port}`, 'content-length': Buffer.byteLength(body), ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Reads only the minimum of HTTP, because the pauses of a complete client would double the measured p99. */
function openConnection(): (request: LoadRequest) => Promise<number> {
  const socket = connect({ host, port: Number(port), noDelay: true });
  let { promise, resolve, reject } = Promise.withResolvers<number>();
  let received = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    const head = received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = /^content-length: (\d+)/im.exec(received.toString('latin1', 0, head))?.[1];
    if (length === undefined) return void socket.destroy(new Error('a response without a length'));
    if (received.length < head + 4 + Number(length)) return;
    const status = Number(received.toString('latin1', 9, 12));
    received = Buffer.alloc(0);
    resolve(status);
  });
  socket.on('error', (error) => reject(error));
  socket.on('close', () => reject(new Error('the service closed a connection')));
  return (request) => {
    ({ promise, resolve, reject } = Promise.withResolvers<number>());
    socket.write(textOf(request));
    return promise;
  };
}

const idle: ReturnType<typeof openConnection>[] = [];
const tookMs: number[] = [];
let answered = 0;
let non2xx = 0;
let next = 0;

const beganAtMs = performance.now();
const endsAtMs = beganAtMs + seconds * 1000;
/** Requests due before this time are not timed: connections open, and V8 compiles the client's code. */
const timedFromMs = beganAtMs + Math.min(500, seconds * 100);

async function send(dueAtMs: number): Promise<void> {
  const sendOn = idle.pop() ?? openConnection();
  const status = await sendOn(requests[next++ % requests.length] as LoadRequest);
  if (dueAtMs >= timedFromMs) tookMs.push(performance.now() - dueAtMs);
  if (status < 200 || status > 299) non2xx++;
  else answered++;
  idle.push(sendOn);
}

async function oneAfterTheOther(): Promise<void> {
  for (let sent = 0; sent < MIN_EACH || performance.now() < endsAtMs; sent++) await send(performance.now());
}

async function atRandomTimes(): Promise<void> {
  const times = Array.from({ length: Math.ceil(perSecond * seconds) }, () => Math.random() * seconds * 1000);
  await Promise.all(times.map((time) => delay(time).then(() => send(beganAtMs + time))));
}

if (perSecond === undefined) await Promise.all(Array.from({ length: connections }, oneAfterTheOther));
else await atRandomTimes();
const result = {
  answered,
  non2xx,
  perSecond: (answered * 1000) / (performance.now() - beganAtMs),
  p50Ms: percentileOf(tookMs, 0.5),
  p99Ms: percentileOf(tookMs, 0.99),
};
process.stdout.write(JSON.stringify(result), () => process.exit());
