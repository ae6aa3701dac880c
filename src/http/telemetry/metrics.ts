import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import type { ConnectionUse, Store, TransactionRecorder } from '../../core/store.ts';

/** What is watched of one answer. */
export interface ObservedResponse {
  listener: 'public' | 'operator';
  method: string;
  /** As it was registered, so that no reference or account becomes a series; "none" where no route took the request. */
  route: string;
  status: number;
  problem: ObservedProblem | null;
  durationSeconds: number;
}

/** What is watched of a problem document. */
export interface ObservedProblem {
  code: string;
  options: { errors?: readonly { code: string }[] };
}

export interface Metrics {
  observe(answer: ObservedResponse): void;
  /** Of a request that was refused because the service has too many in hand. */
  countShedRequest(): void;
  /** An answer to what never became a request: the parser gave up, or the address could not be read. */
  countProblem(listener: ObservedResponse['listener'], problem: ObservedProblem): void;
  /** A connection that was closed for what it and others like it cost, by the reason. */
  countClosedConnection(listener: ObservedResponse['listener'], reason: string): void;
  /** What became of a fact: an outcome of the store's, or of a line of a batch. */
  countRecorded(outcome: string): void;
  /** Tells how a store's connections are used, whenever the metrics are read. */
  watchConnections(store: Pick<Store, 'connectionUse'>): void;
  /** Everything in the text format of Prometheus. */
  text(): Promise<{ contentType: string; body: string }>;
  /** Leaves the counts of a worker that ends to the process that started it. */
  sendToFirstProcess(): Promise<void>;
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const CURSOR_FAULTS: ReadonlyMap<string, string> = new Map([
  ['cursor_expired', 'expired'],
  ['cursor_malformed', 'malformed'],
  ['cursor_filter_mismatch', 'filter_mismatch'],
]);

/**
 * The metrics of a process: of its requests, its recordings, its memory and its event loop. Where several
 * processes work together, those of all of them are added up.
 */
export function createMetrics({ aggregateWorkers = false } = {}): Metrics {
  const registry = new Registry();
  if (aggregateWorkers) AggregatorRegistry.setRegistries([registry]);
  const team = aggregateWorkers ? new AggregatorRegistry() : null;
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
    name: 'transactions_http_requests_shed_total',
    help: 'Requests that were refused with 503 before anything was done for them, because too many were in hand.',
    registers,
  });
  const connectionsClosed = new Counter({
    name: 'transactions_http_connections_closed_total',
    help: 'Connections that were closed to protect others: too many of one address or in all, or too much unsent or pipelined.',
    labelNames: ['listener', 'reason'],
    registers,
  });
  const recorded = new Counter({
    name: 'transactions_recorded_total',
    help: 'Facts that were given to be recorded, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });

  const cursorsRefused = new Counter({
    name: 'transactions_cursors_refused_total',
    help: 'Cursors that were refused, by the reason, whatever else was wrong with the request.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of CURSOR_FAULTS.values()) cursorsRefused.inc({ reason }, 0);

  // A series is looked up by its labels once, not at every request.
  const series = new Map<string, ReturnType<typeof durations.labels>>();
  const durationsOf = ({ listener, method, route, status }: ObservedResponse) => {
    const key = `${listener} ${method} ${route} ${status}`;
    let one = series.get(key);
    if (one === undefined) {
      one = durations.labels({ listener, method, route, status: String(status) });
      series.set(key, one);
    }
    return one;
  };

  const countProblem: Metrics['countProblem'] = (listener, { code, options }) => {
    problems.inc({ listener, code });
    for (const fault of options.errors ?? []) {
      const reason = CURSOR_FAULTS.get(fault.code);
      if (reason !== undefined) cursorsRefused.inc({ reason });
    }
  };

  return {
    observe(answer) {
      durationsOf(answer).observe(answer.durationSeconds);
      if (answer.problem !== null) countProblem(answer.listener, answer.problem);
    },
    countShedRequest: () => refused.inc(),
    countProblem,
    countClosedConnection: (listener, reason) => connectionsClosed.inc({ listener, reason }),
    countRecorded: (outcome) => recorded.inc({ outcome }),
    watchConnections: (store) => watchConnections(store, registers),
    text: async () => ({
      contentType: registry.contentType,
      body: await (team?.clusterMetrics() ?? registry.metrics()),
    }),
    sendToFirstProcess: async () => team?.shutdown(),
  };
}

/** Read when somebody asks, so that requests pay nothing for it. */
function watchConnections({ connectionUse }: Pick<Store, 'connectionUse'>, registers: Registry[]): void {
  if (connectionUse === undefined) return;
  const gauge = (name: string, help: string, read: (use: ConnectionUse) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['purpose'],
      registers,
      collect() {
        for (const [purpose, use] of Object.entries(connectionUse())) this.set({ purpose }, read(use));
      },
    });
  gauge(
    'transactions_database_connections',
    'Connections to the database, when all are made.',
    ({ size }) => size,
  );
  gauge(
    'transactions_database_connections_open',
    'Connections to the database that are made.',
    ({ open }) => open,
  );
  gauge(
    'transactions_database_queries_waiting',
    'Questions to the database that are not answered yet.',
    ({ waiting }) => waiting,
  );
}

/** A recorder that counts what becomes of each fact. */
export function countingRecorder(store: TransactionRecorder, metrics: Metrics): TransactionRecorder {
  return {
    recordTransactions: async (transactions) => {
      const results = await store.recordTransactions(transactions);
      // Those that are held have no outcome yet, and those that failed are counted as problems.
      for (const { outcome } of results)
        if (outcome !== 'held' && outcome !== 'failed') metrics.countRecorded(outcome);
      return results;
    },
    recordHeld: async (transaction) => {
      const result = await store.recordHeld(transaction);
      metrics.countRecorded(result.outcome);
      return result;
    },
    recordOnce: async (transaction, once) => {
      const outcome = await store.recordOnce(transaction, once);
      metrics.countRecorded(outcome.outcome);
      return outcome;
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
