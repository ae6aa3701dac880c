import { pino } from 'pino';
import { KEY_ENDS_INTERVAL_MS } from '../../src/keys/key-cache.ts';
import { type App, type AppDependencies, buildApp } from '../../src/service/app.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { buildOperatorApp } from '../../src/service/operator-app.ts';
import { reportRecordings } from '../../src/store/report-recordings.ts';
import { testConfig } from '../rig/service/test-config.ts';
import { REQUEST_TIMEOUT_MS } from './check-response.ts';

const metrics = createMetrics();
const logger = pino({ enabled: false });

/** One process of the service, from its start until it is stopped or killed. */
export interface Instance {
  name: string;
  secrets: readonly string[];
  store: AppDependencies['store'];
  public: App;
  operator: App;
  isAlive: boolean;
  /** When it began to stop. */
  stoppedMs: number;
  /** Answers the requests in flight, and lets nobody wait for changes any longer. */
  stop(): void;
  /** Resolves when the instance is killed. */
  killed: Promise<undefined>;
  kill(): void;
  /** The requests that each key sent to this instance, and how many its rate limit admitted. */
  sent: Map<string, { count: number; sinceMs: number }>;
  admitted: Map<string, number>;
}

interface InstanceOptions
  extends Pick<AppDependencies, 'clock' | 'randomBytes'>,
    Pick<AppDependencies['config'], 'cursorLifetimeSeconds' | 'rateLimit'> {
  name: string;
  secrets: readonly string[];
  /** The store of this instance, whose calls get nowhere once `isAlive` is false. */
  openStore: (isAlive: () => boolean) => AppDependencies['store'];
}

export async function buildInstance(options: InstanceOptions): Promise<Instance> {
  const { name, secrets, clock, randomBytes, cursorLifetimeSeconds, rateLimit } = options;
  let instance: Instance | undefined;
  const dependencies = {
    config: {
      ...testConfig,
      cursorLifetimeSeconds,
      // A fault sets the wall clock back by ten years, while transactions keep their times.
      createdAtAheadSeconds: 1000 * 366 * 86_400,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      rateLimit,
    },
    store: options.openStore(() => instance?.isAlive ?? true),
    clock,
    randomBytes,
    logger,
    metrics,
  };
  const killed = Promise.withResolvers<undefined>();
  const publicApp = await buildApp({ ...dependencies, cursorSecrets: secrets });
  const onRecorded = (account: string) => publicApp.changeWatcher.noteRecorded(account);
  instance = {
    name,
    secrets,
    store: dependencies.store,
    public: publicApp,
    operator: await buildOperatorApp({
      ...dependencies,
      cursorSecrets: secrets,
      store: reportRecordings(dependencies.store, onRecorded),
    }),
    isAlive: true,
    stoppedMs: Number.POSITIVE_INFINITY,
    killed: killed.promise,
    stop() {
      this.stoppedMs = clock.monotonicMs();
      this.public.announceStop();
      this.operator.announceStop();
    },
    kill() {
      this.isAlive = false;
      killed.resolve(undefined);
    },
    sent: new Map(),
    admitted: new Map(),
  };
  return instance;
}

/** Reads revocations at an interval, as `serve` does. */
export function watchRevocations(instance: Instance): void {
  for (const { keyCache } of [instance.public, instance.operator]) {
    const refresh = () => {
      if (instance.isAlive) keyCache.refresh().catch(() => {});
    };
    refresh();
    setInterval(refresh, KEY_ENDS_INTERVAL_MS);
  }
}
