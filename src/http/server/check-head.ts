import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.ts';
import { MAX_BODY_BYTES, MAX_URL_CHARACTERS } from './transport-limits.ts';

/**
 * Refuses a request without exactly one Host header, with a URL that is too long, or with a large body where bodies
 * are not read. The hook is asynchronous on purpose: node:http parses the rest of the received bytes before any
 * response is sent, so that a framing error takes precedence.
 */
export function checkHeads(app: FastifyInstance, takesBodies: boolean): void {
  app.addHook('onRequest', async ({ raw: { headers, httpVersion, url = '' } }) => {
    const { host } = headers;
    if (host === undefined && httpVersion === '1.1') {
      throw new Problem('invalid_request', 'The request has no Host header, which HTTP/1.1 requires.');
    }
    // node:http joins headers of the same name with a comma, which no host contains.
    if (host?.includes(', ')) {
      throw new Problem('invalid_request', 'The request has more than one Host header. Send one.');
    }
    if (url.length > MAX_URL_CHARACTERS) {
      throw new Problem(
        'uri_too_long',
        `The address has ${url.length} characters; at most ${MAX_URL_CHARACTERS} are read.`,
      );
    }
    if (!takesBodies && Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      throw new Problem('payload_too_large', 'The body is larger than this operation takes.', {
        headers: { connection: 'close' },
      });
    }
  });
}
