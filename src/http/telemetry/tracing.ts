import {
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Store } from '../../store/store.ts';
import type { OnRequestEnd } from '../server/begin-request.ts';

const NAME = 'transactions';

/** The tracer of an OpenTelemetry SDK that was loaded before the service; null if there is none. */
export function registeredTracer(): Tracer | null {
  const provider = trace.getTracerProvider();
  const isRegistered =
    !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(NAME) !== undefined;
  return isRegistered ? trace.getTracer(NAME) : null;
}

/** The span has no account and no URL. Source: the semantic conventions of OpenTelemetry for HTTP. */
export function traceRequests(app: FastifyInstance, onEnd: OnRequestEnd, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const parent = propagation.extract(context.active(), headers);
    const attributes = {
      'http.request.method': method,
      ...(routeOptions.url !== undefined && { 'http.route': routeOptions.url }),
      'transactions.request_id': request.id,
    };
    const name = routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });

  onEnd(({ request, reply, isAnswered }) => {
    const span = spans.get(request);
    if (isAnswered) {
      span?.setAttribute('http.response.status_code', reply.statusCode);
      if (request.problem !== null) span?.setAttribute('error.type', request.problem.code);
      if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    } else {
      span?.setAttribute('error.type', 'aborted');
    }
    span?.end();
  });
}

/** These methods send no query, so they are not traced. */
const NO_CALLS: ReadonlySet<string> = new Set<keyof Store>([
  'connectionUse',
  'onReconnected',
  'nodeOf',
  'nodes',
]);

/** Traces calls without their arguments and results. */
export function tracedStore(store: Store, tracer: Tracer): Store {
  const traced = Object.entries(store).flatMap(([name, call]) => {
    if (typeof call !== 'function' || NO_CALLS.has(name)) return [];
    const inTrace = (...values: unknown[]) =>
      trace.getActiveSpan() === undefined ? call(...values) : inSpan(tracer, name, () => call(...values));
    return [[name, inTrace]];
  });
  return { ...store, ...Object.fromEntries(traced) };
}

function inSpan<Result>(tracer: Tracer, name: string, call: () => Promise<Result>): Promise<Result> {
  const options = { kind: SpanKind.CLIENT, attributes: { 'db.operation.name': name } };
  return tracer.startActiveSpan(`store ${name}`, options, async (span) => {
    try {
      return await call();
    } catch (error) {
      // The message is only in the log, because it can contain values of the request.
      span.setAttribute('error.type', (error as Error).name);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
