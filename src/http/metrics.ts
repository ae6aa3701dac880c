import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Histogram,
  Registry,
} from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import type { RecordOutcome, TransactionRecorder } from '../core/store.ts';

/** What is watched of one answer. */
export interface ObservedAnswer {
  listener: 'public' | 'operator';
  method: string;
  /** As it was registered, so that no reference or account becomes a series; "none" where no route took the request. */
  route: string;
  status: number;
  /** Of a problem document. */
  code: string | null;
  durationSeconds: number;
}

export interface Metrics {
  observe(answer: ObservedAnswer): void;
  /** Of a request that was refused because the service has too many in hand. */
  countRefused(): void;
  countRecorded(outcome: RecordOutcome['outcome']): void;
  /** Everything in the text format of Prometheus. */
  text(): Promise<{ contentType: string; body: string }>;
  /** Leaves the counts of a worker that ends to the process that started it. */
  handOn(): Promise<void>;
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/**
 * The metrics of a process: of its requests, its recordings, its memory and its event loop. Where several
 * processes work together, those of all of them are added up.
 */
export function createMetrics({ ofWorkersToo = false } = {}): Metrics {
  const registry = new Registry();
  if (ofWorkersToo) AggregatorRegistry.setRegistries([registry]);
  const team = ofWorkersToo ? new AggregatorRegistry() : null;
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'transactions_http_request_duration_seconds',
    help: 'Time from the first look at a request to the end of its answer.',
    labelNames: ['listener', 'method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const problems = new Counter({
    name: 'transactions_http_problems_total',
    help: 'Answers that were problem documents, by their code.',
    labelNames: ['listener', 'code'],
    registers,
  });
  const refused = new Counter({
    name: 'transactions_http_refused_total',
    help: 'Requests that were refused with 503 before anything was done for them, because too many were in hand.',
    registers,
  });
  const recorded = new Counter({
    name: 'transactions_recorded_total',
    help: 'Facts that were given to be recorded, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });

  // A series is looked up by its labels once, not at every request.
  const series = new Map<string, ReturnType<typeof durations.labels>>();
  const durationsOf = ({ listener, method, route, status }: ObservedAnswer) => {
    const key = `${listener} ${method} ${route} ${status}`;
    let one = series.get(key);
    if (one === undefined) {
      one = durations.labels({ listener, method, route, status: String(status) });
      series.set(key, one);
    }
    return one;
  };

  return {
    observe(answer) {
      durationsOf(answer).observe(answer.durationSeconds);
      if (answer.code !== null) problems.inc({ listener: answer.listener, code: answer.code });
    },
    countRefused: () => refused.inc(),
    countRecorded: (outcome) => recorded.inc({ outcome }),
    text: async () => ({
      contentType: registry.contentType,
      body: await (team?.clusterMetrics() ?? registry.metrics()),
    }),
    handOn: async () => team?.shutdown(),
  };
}

/** A recorder that counts what it records. */
export function countingRecorder(
  store: Pick<TransactionRecorder, 'recordTransactions'>,
  metrics: Metrics,
): Pick<TransactionRecorder, 'recordTransactions'> {
  return {
    recordTransactions: async (transactions) => {
      const outcomes = await store.recordTransactions(transactions);
      for (const { outcome } of outcomes) metrics.countRecorded(outcome);
      return outcomes;
    },
  };
}

/** Serves the metrics to whoever may reach the listener. They hold no key, no account and no amount. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', {
    schema: { hide: true },
    handler: async (_request, reply) => {
      const { contentType, body } = await metrics.text();
      return reply.type(contentType).send(body);
    },
  });
}
