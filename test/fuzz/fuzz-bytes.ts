import type { Random } from '../rig/run/random.ts';
import { type FuzzEnvironment, fuzzRequest } from './fuzz-request.ts';

/** Changes to the head of a request: framing that two servers can read differently, and plain damage. */
const HEADS: readonly ((head: string, length: number) => string)[] = [
  (head) => head,
  (head, length) => `${head}\r\nContent-Length: ${length}`,
  (head, length) => `${head}\r\nContent-Length: ${length + 1}`,
  (head, length) => `${head}\r\nContent-Length: ${length}\r\nContent-Length: ${length + 1}`,
  (head, length) => `${head}\r\nContent-Length: ${length}\r\nTransfer-Encoding: chunked`,
  (head) => `${head}\r\nTransfer-Encoding: chunked`,
  (head) => `${head}\r\nTransfer-Encoding: chunked, identity`,
  (head) => `${head}\r\nTransfer-Encoding: xchunked`,
  (head) => `${head}\r\nTransfer-Encoding:\tchunked`,
  (head) => `${head}\r\nTransfer-Encoding : chunked`,
  (head, length) => `${head}\r\nContent-Length: +${length}`,
  (head) => `${head}\r\nContent-Length: 0x10`,
  (head) => `${head}\r\nContent-Length: -1`,
  (head) => `${head}\r\nContent-Length: 99999999999999999999`,
  (head) => `${head}\r\n folded: yes`,
  (head) => `${head}\r\nX-A: \0`,
  (head) => `${head}\r\n: x`,
  (head) => `${head}\r\nHost: other`,
  (head) => `${head}\r\nExpect: 100-continue`,
  (head) => `${head}\r\nConnection: upgrade\r\nUpgrade: websocket`,
  (head) => head.replace('\r\nHost: x', ''),
  (head) => head.replaceAll('\r\n', '\n'),
  (head) => head.replace(' HTTP/1.1', ' HTTP/1.0'),
  (head) => head.replace(' HTTP/1.1', ' HTTP/2.0'),
  (head) => head.replace(' HTTP/1.1', ''),
  (head) => head.replace(' /', ' http://x/'),
  (head) => head.replace(' /', '  /'),
  (head) => head.replace(' /', ' '),
  (head) => head.replace(/^[A-Z]+/, (method) => method.toLowerCase()),
  (head) => head.replace(/^[A-Z]+/, 'PRI'),
];

/** The bytes of a valid, damaged or random request. */
export function fuzzBytes(
  random: Random,
  environment: FuzzEnvironment,
): { to: 'public' | 'operator'; bytes: Buffer } {
  const { to, method, url, headers, payload } = fuzzRequest(random, environment);
  const body = Buffer.from(payload ?? '');
  // Characters that are invalid in header fields come from the damage below.
  const fields = Object.entries(headers).map(
    ([name, value]) => `\r\n${name}: ${value.replaceAll(/[\r\n\0]/g, '')}`,
  );
  const path = url.replaceAll(/[\r\n]/g, '');
  const plain = `${method} ${path.startsWith('/') ? path : `/${path}`} HTTP/1.1\r\nHost: x${fields.join('')}`;
  const isChunked = random.chance(0.2);
  const head = isChunked
    ? `${plain}\r\nTransfer-Encoding: chunked`
    : random.chance(0.5)
      ? random.pick(HEADS)(plain, body.length)
      : `${plain}\r\nContent-Length: ${body.length}`;
  let bytes: Buffer = Buffer.concat([
    Buffer.from(`${head}\r\n\r\n`),
    isChunked ? chunked(random, body) : body,
  ]);
  if (random.chance(0.1)) bytes = Buffer.concat([bytes, bytes]);
  for (let count = random.chance(0.4) ? random.integer(1, 4) : 0; count > 0; count--)
    bytes = damaged(random, bytes);
  if (random.chance(0.02)) bytes = Buffer.from(random.bytes(random.integer(1, 300)));
  return { to, bytes };
}

function chunked(random: Random, body: Buffer): Buffer {
  const size = random.pick([
    body.length.toString(16),
    'zz',
    '-1',
    'ffffffffffffffff',
    '0',
    ` ${body.length.toString(16)}`,
  ]);
  const end = random.pick([
    '\r\n0\r\n\r\n',
    '\r\n0\r\n\r\n',
    '\r\n0\r\nX-Trailer: 1\r\n\r\n',
    '\r\n0\r\n',
    '0\r\n\r\n',
    '',
  ]);
  return Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(end)]);
}

function damaged(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  const at = random.integer(0, bytes.length - 1);
  switch (random.integer(0, 3)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), random.bytes(random.integer(1, 3)), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.integer(1, 5))]);
    default: {
      const copy = Buffer.from(bytes);
      copy[at] = random.integer(0, 255);
      return copy;
    }
  }
}
