import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageFile } from './page-files.ts';

/** Sends a file in the smallest form that the caller takes. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.type(file.type).header('vary', 'accept-encoding');
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli);
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.bytes);
}
