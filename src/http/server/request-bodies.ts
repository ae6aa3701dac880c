import type { FastifyInstance, preParsingHookHandler, preValidationHookHandler } from 'fastify';
import { parseJson, RepeatedName } from '../../values/parse-json.ts';
import { quote } from '../../values/quote.ts';
import { sentence } from '../../values/sentence.ts';
import { endInFlight } from '../overload/load-shedding.ts';
import { faultyField, Problem } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';

/** Reads bodies that are JSON objects. */
function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      const body = parseJson(String(text));
      if (typeof body === 'object' && body !== null && !Array.isArray(body)) return done(null, body);
      done(new Problem(PROBLEMS.invalid_body, 'The body is JSON, but not an object.'));
    } catch (error) {
      if (error instanceof RepeatedName) return done(repeatedField(error));
      done(new Problem(PROBLEMS.invalid_body, `The body is not JSON: ${sentence((error as Error).message)}`));
    }
  });
}

const repeatedField = ({ pointer }: RepeatedName) =>
  faultyField({ pointer, code: 'duplicate_field', detail: 'is in the body more than once; write it once' });

/** Leaves bodies unread, whatever their type: a POST to a path that takes only GET is 405, not 415. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** A filter in the body of a GET would be ignored, and the response would be to another request than the caller meant. */
export const refuseBody: preValidationHookHandler = ({ raw: { headers } }, _reply, done) => {
  if (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined)
    throw new Problem(
      PROBLEMS.invalid_request,
      'A GET takes no body. Send parameters in the address, such as ?status=completed.',
    );
  done();
};

/** The bytes of a compressed body would be taken for its text. */
export const refuseEncoding: preParsingHookHandler = ({ headers }, _reply, _payload, done) => {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new Problem(
      PROBLEMS.unsupported_media_type,
      `The body has the Content-Encoding ${quote(encoding)}. Send it uncompressed, without this header.`,
    );
  done();
};

/** Adds operations that read a JSON body to a listener that leaves all others unread. */
export function jsonOperations(app: FastifyInstance, addRoutes: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    readJsonBodies(scope);
    scope.addHook('preParsing', ({ raw }, reply, _payload, done) => {
      // A caller that sends its body slowly must take no place of other requests, and its time must not count as that of a slow store.
      if (raw.complete === false) endInFlight(reply.raw, false);
      done();
    });
    addRoutes(scope);
  });
}

/** Adds an operation that takes a stream, and no other body. */
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
