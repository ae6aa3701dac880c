import type { Logger } from 'pino';
import { BackgroundTurns } from '../../values/background-turns.ts';
import { randomBase62 } from '../../values/base62.ts';
import { assignReference, type RandomBytes } from '../../values/reference.ts';
import { declaredAccounts } from '../accounts/account.ts';
import { auditLog } from '../audit/audit.ts';
import { type AuditContext, requestStamper } from '../audit/http/request-origin.ts';
import type { CAPABILITIES } from '../capabilities.ts';
import type { PublicConfig } from '../config/settings.ts';
import type { Context, KeyChecks, Operation } from '../http/operations/operation.ts';
import type { RateLimiter } from '../http/overload/rate-limit.ts';
import { EXPORT_READER_TIMEOUT_MS } from '../http/server/transport-limits.ts';
import { ChangeWatcher } from '../ledger/changes/change-watcher.ts';
import type { ExportingLimits } from '../ledger/exports/http/send-export.ts';
import { exportSlots } from '../ledger/exports/start-export.ts';
import { createCursorSealer } from '../ledger/list/cursor.ts';
import { limitRecorder } from '../ledger/record/request-recorder.ts';
import type { RecognisedStatuses } from '../ledger/recorded-statuses.ts';
import { createSearchCursorSealer } from '../ledger/search/search.ts';
import type { Store } from '../store/store.ts';
import type { WebhookSending } from '../webhooks/http/operations.ts';
import type { HEALTH_OPERATIONS } from './health.ts';
import type { Metrics } from './metrics.ts';

const LOG_NAME_CHARACTERS = 8;

export interface Clock {
  /** Returns the milliseconds since 1970-01-01T00:00:00Z, by a clock that can be set back. */
  now(): number;
  monotonicMs(): number;
}

export interface ContextDependencies {
  config: PublicConfig;
  clock: Clock;
  randomBytes: RandomBytes;
  logger: Logger;
  metrics: Metrics;
  /** The first secret encrypts new cursors. Every secret can decrypt. */
  cursorSecrets: readonly string[];
  webhooks?: WebhookSending;
  turns: BackgroundTurns;
  exportLimits?: ExportingLimits;
}

interface ListenerParts {
  store: Store;
  statuses: RecognisedStatuses;
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  stopping: AbortSignal;
  cuttingExports: AbortSignal;
  isDraining: () => boolean;
}

type Served = (typeof CAPABILITIES)[number]['operations'][number] | (typeof HEALTH_OPERATIONS)[number];
type Needed = Served extends Operation<infer Needs> ? Needs : never;

export type ServiceContext = Needed &
  AuditContext &
  Context<Store> &
  Pick<ListenerParts, 'store' | 'statuses'> & { metrics: Metrics };

/** A stored export takes a kilobyte for 24 hours. A running export holds about two pages of transactions. */
const EXPORT_LIMITS: ExportingLimits = {
  perAccount: 2,
  perProcess: 32,
  storedPerAccount: 5000,
  readerTimeoutMs: EXPORT_READER_TIMEOUT_MS,
  stopGraceMs: 5000,
};

const NO_SENDING: WebhookSending = {
  send: async () => ({ error: 'this process sends no webhooks' }),
  explainUrl: () => undefined,
};

export function createContext(dependencies: ContextDependencies, parts: ListenerParts): ServiceContext {
  const { config, clock, randomBytes, logger, metrics, cursorSecrets, turns } = dependencies;
  const { exportLimits = EXPORT_LIMITS, webhooks = NO_SENDING } = dependencies;
  const { store } = parts;
  const limits = {
    now: clock.now,
    requestTimeoutMs: config.requestTimeoutMs,
    createdAtAheadMs: config.createdAtAheadSeconds * 1000,
    accounts: config.accounts === 'declared' ? declaredAccounts(store, clock.monotonicMs) : null,
    statuses: config.statuses,
  };
  const cursors = createCursorSealer(cursorSecrets, randomBytes);
  return {
    ...parts,
    now: clock.now,
    monotonicMs: clock.monotonicMs,
    randomBytes,
    auditStamp: requestStamper(clock.now, randomBytes, config.logAddresses === 'on'),
    loggedAudit: auditLog(randomBase62(LOG_NAME_CHARACTERS, randomBytes)),
    logger,
    metrics,
    publicUrl: config.publicUrl,
    accounts: limits.accounts,
    requestTimeoutMs: config.requestTimeoutMs,
    cursors,
    searchCursors: createSearchCursorSealer(cursors),
    cursorLifetimeSeconds: config.cursorLifetimeSeconds,
    recorder: limitRecorder(store, store, limits),
    rules: {
      statuses: config.statuses,
      recorded: parts.statuses,
      assignReference: (createdAtMs) => assignReference(createdAtMs, randomBytes),
    },
    watcher: new ChangeWatcher({
      reader: store,
      monotonicMs: clock.monotonicMs,
      onPollFailed: (error) => logger.warn({ err: error }, 'could not read whether accounts have changes'),
    }),
    exportSlots: exportSlots(exportLimits),
    exportLimits,
    turns,
    streamTurns: new BackgroundTurns(setImmediate),
    webhooks,
  };
}
