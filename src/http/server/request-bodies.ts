import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { isJsonObjectText, parseJson, RepeatedName } from '../../../values/parse-json.ts';
import { faultyField, Problem } from '../../../values/problem.ts';
import { quote } from '../../../values/quote.ts';
import { sentence } from '../../../values/sentence.ts';
import { endInFlight } from '../overload/load-shedding.ts';
import { unsupportedType } from '../problems/problem.ts';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Headers do not show that a body is empty: a proxy can pass on an empty HTTP/2 body as chunks. */
function whenEmptyOrBegun(body: Readable, callback: (isEmpty: boolean) => void): void {
  const settle = (isEmpty: boolean) => {
    body.off('end', onEnd).off('data', onData);
    body.resume();
    callback(isEmpty);
  };
  const onEnd = () => settle(true);
  const onData = () => settle(false);
  body.on('end', onEnd).on('data', onData);
}

/** A slow sender must not make the store look slow, because the service then refuses other requests. */
function endInFlightWhileArriving({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete === false) endInFlight(reply.raw, { usedStore: false });
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) =>
    whenEmptyOrBegun(payload, (isEmpty) => done(isEmpty ? null : unsupportedType(request))),
  );
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, sent, done) => {
    const bytes = sent as Buffer;
    if (bytes.length === 0) return done(null);
    const fault = explainEncoding(bytes);
    if (fault !== undefined) return done(new Problem('invalid_body', fault));
    try {
      const body = parseJson(bytes.toString());
      if (typeof body === 'object' && body !== null && !Array.isArray(body)) return done(null, body);
      done(new Problem('invalid_body', `The body is JSON, but not an object.${instead(body, request)}`));
    } catch (error) {
      if (error instanceof RepeatedName) return done(repeatedField(error));
      done(new Problem('invalid_body', `The body is not JSON: ${sentence((error as Error).message)}`));
    }
  });
}

/** Returns undefined if the bytes are UTF-8, as JSON must be. Source: RFC 8259, 8.1. */
function explainEncoding(bytes: Buffer): string | undefined {
  const begin = bytes.toString('hex', 0, 3);
  if (begin === 'efbbbf') return 'The body begins with a byte order mark. Send it in UTF-8 without one.';
  if (/^(fffe|feff|00|..00)/.test(begin)) return 'The body is in UTF-16. Send it in UTF-8.';
  return isUtf8(bytes) ? undefined : 'The body has bytes that are not UTF-8. Send it in UTF-8.';
}

function instead(body: unknown, { routeOptions }: FastifyRequest): string {
  if (Array.isArray(body))
    return ` Send each of its items as a request${/\/transactions\b/.test(routeOptions.url ?? '') ? ', or transactions to /v1/batch of the operator' : ''}.`;
  return isJsonObjectText(body)
    ? ' It is a text with JSON, so it was encoded twice: encode it once.'
    : ' Send a JSON object.';
}

const repeatedField = ({ pointer }: RepeatedName) =>
  faultyField({ pointer, code: 'duplicate_field', detail: 'is in the body more than once; write it once' });

/** Leaves bodies unread. Otherwise, Fastify would answer an unknown type with 415, even if 405 is right. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** A filter in a GET's body would be ignored, so the body is refused. */
export const refuseBody: preValidationHookHandler = (request, reply, done) => {
  const { raw } = request;
  if (!hasBody(raw)) return done();
  endInFlightWhileArriving(request, reply);
  whenEmptyOrBegun(raw, (isEmpty) => done(isEmpty ? undefined : getWithBody()));
};

const getWithBody = () =>
  new Problem(
    'invalid_request',
    'A GET takes no body. Send parameters in the address, such as ?status=completed.',
  );

/** A compressed body is refused, because its bytes would be read as text. */
export const refuseEncoding: preParsingHookHandler = ({ headers }, _reply, _payload, done) => {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new Problem(
      'unsupported_media_type',
      `The body has the Content-Encoding ${quote(encoding)}. Send it uncompressed, without this header.`,
    );
  done();
};

export function jsonOperations(app: FastifyInstance, addRoutes: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    readJsonBodies(scope);
    scope.addHook('preParsing', (request, reply, _payload, done) => {
      endInFlightWhileArriving(request, reply);
      done();
    });
    addRoutes(scope);
  });
}

export async function streamOperation(
  app: FastifyInstance,
  type: string,
  addRoute: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(type, (_request, payload, done) => done(null, payload));
    addRoute(scope);
  });
}
