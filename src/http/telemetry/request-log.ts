import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import type { PathParameter, PathParameters } from '../operations/parameters.ts';
import { type EndedRequest, loggable, type OnRequestEnd } from '../server/begin-request.ts';
import { callerAddress } from '../server/caller-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Added to the log line. Of the values in a query or a body, only ids and counts may be added. */
    logFields: object | null;
  }
}

const ADDRESS_STATUSES = new Set([401, 429]);

export function logRequests(
  app: FastifyInstance,
  onEnd: OnRequestEnd,
  { logger, logAddresses }: { logger: Logger; logAddresses: boolean },
): void {
  app.decorateRequest('logFields', null);
  onEnd((ended) => {
    const fields = fieldsOf(ended, logAddresses);
    if (isProbe(ended)) logger.debug(fields, 'request');
    else logger.info(fields, 'request');
  });
}

const PROBE_ROUTES: ReadonlySet<string | undefined> = new Set(['/livez', '/healthz', '/readyz', '/metrics']);

const isProbe = ({ route, reply }: EndedRequest) => PROBE_ROUTES.has(route) && reply.statusCode < 400;

/** Logs only the route and valid identifiers of the URL, because the rest contains cursors and filters. */
function fieldsOf(
  { request, reply, isAnswered, route, pathParameters, durationMs }: EndedRequest,
  logAddresses: boolean,
): object {
  const { caller, problem } = request;
  const { statusCode } = reply;
  const callerAccount = caller?.account === OPERATOR_ACCOUNT ? undefined : caller?.account;
  return {
    requestId: request.id,
    method: request.method,
    route,
    status: statusCode,
    code: problem?.code,
    reason: problem?.options.reason,
    durationMs,
    account: callerAccount,
    ...(pathParameters && loggedValues(pathParameters, request.params)),
    differs: problem?.options.differences?.map(({ field }) => field),
    keyId: caller?.keyId,
    address: logAddresses || ADDRESS_STATUSES.has(statusCode) ? callerAddress(request) : undefined,
    ...request.logFields,
    aborted: isAnswered ? undefined : true,
  };
}

function loggedValues(parameters: PathParameters, params: unknown): object {
  const values = params as Readonly<Record<string, string>>;
  const logged: Record<string, string | undefined> = {};
  for (const name in parameters) {
    const { logName, isValid } = parameters[name] as PathParameter;
    const value = values[name];
    if (logName !== undefined && value !== undefined && isValid(value)) logged[logName] = loggable(value);
  }
  return logged;
}
