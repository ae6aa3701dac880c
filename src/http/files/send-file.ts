import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazy } from '../../../values/lazy.ts';
import { contentCodingOf } from '../content-coding.ts';

export interface PackedFile {
  type: string;
  bytes: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

export async function packFile(type: string, content: string | Buffer): Promise<PackedFile> {
  const bytes = Buffer.from(content);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes),
  ]);
  return { type, bytes, gzip: gzipped, brotli };
}

export const versionOf = (...contents: (string | Buffer)[]): string =>
  hash('sha256', contents.map((part) => hash('sha256', part)).join(), 'base64url').slice(0, 16);

/** Requests have no time limit, because the first one compresses the file, and this can take long. */
export function builtFileRoute(
  app: FastifyInstance,
  path: string,
  type: string,
  readBytes: () => Promise<Buffer>,
): void {
  const read = lazy(async () => {
    const bytes = await readBytes();
    return { file: await packFile(type, bytes), version: versionOf(bytes) };
  });
  app.get(path, {
    schema: { hide: true },
    handler: async (request, reply) => {
      reply.liftTimeLimit();
      const { file, version } = await read();
      reply.header('cache-control', 'no-cache');
      return sendFile(request, reply, file, version);
    },
  });
}

export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: PackedFile,
  version?: string,
): FastifyReply {
  const coding = contentCodingOf(headers['accept-encoding'], ['br', 'gzip']);
  reply.header('vary', 'accept-encoding');
  if (version !== undefined) {
    const etag = `"${version}-${coding}"`;
    reply.header('etag', etag);
    if (isKnown(etag, headers['if-none-match'])) return reply.code(304).send();
  }
  reply.type(file.type);
  if (coding === 'identity') return reply.send(file.bytes);
  return reply.header('content-encoding', coding).send(coding === 'br' ? file.brotli : file.gzip);
}

/** Accepts weak ETags, because proxies weaken ETags. Source: RFC 9110, 13.1.2. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
