import { setImmediate as nextTurn } from 'node:timers/promises';
import { listAccountsRoute } from '../accounts/http/list-accounts.ts';
import type { Config } from '../config/settings.ts';
import { apiKeyRoutes } from '../keys/http/api-keys.ts';
import { createCursorSealer } from '../ledger/list/cursor.ts';
import { lookUpTransactionsRoutes } from '../ledger/list/http/look-up-transactions.ts';
import { refuseTooFarAhead } from '../ledger/record/created-at-limit.ts';
import { GroupCommit } from '../ledger/record/group-commit.ts';
import { createTransactionRoute } from '../ledger/record/http/create-transaction.ts';
import { recordBatchRoute } from '../ledger/record/http/record-batch.ts';
import { recordTransactionRoute } from '../ledger/record/http/record-transaction.ts';
import { type StoreCall, wrapStore } from '../store/wrap-store.ts';
import { assignReference } from '../values/reference.ts';
import { withinTime } from '../values/time-limit.ts';
import { type App, type AppDependencies, buildListener, type ListenerDependencies } from './app.ts';
import { metricsRoute } from './metrics-route.ts';
import { countingRecorder } from './store-metrics.ts';

const OPERATOR_API = {
  title: "Transactions: the operator's interface",
  description:
    'Records and looks up transactions, and creates API keys, for the payment platform that operates the service.',
  keyDescription: 'A key of the operator: tk_operator_ and 36 characters.',
  tags: [
    { name: 'recording', description: 'Recording transactions' },
    { name: 'looking up', description: 'Finding accounts and their transactions' },
    { name: 'keys', description: "Accounts' API keys" },
    { name: 'operation', description: 'Monitoring the service' },
  ],
};

/**
 * Store calls that get a separate time limit, because the time limit of a request does not cover them: a key is looked
 * up before the body has arrived, recordings wait for each other, and a batch has no time limit.
 */
const TIMED_CALLS: readonly StoreCall[] = [
  'findApiKey',
  'retrieveTransaction',
  'recordTransactions',
  'recordHeld',
];

export interface OperatorAppDependencies
  extends ListenerDependencies,
    Pick<AppDependencies, 'cursorSecrets'> {
  config: ListenerDependencies['config'] & Pick<Config, 'cursorLifetimeSeconds' | 'createdAtAheadSeconds'>;
}

/** The operator's interface, on a separate listener. It refuses the keys of accounts, and the public listener the operator's. */
export async function buildOperatorApp(dependencies: OperatorAppDependencies): Promise<App> {
  const { config, clock, randomBytes, logger, metrics } = dependencies;
  const timedStore = wrapStore(dependencies.store, TIMED_CALLS, (_name, call) =>
    withinTime(call(), config.requestTimeoutMs),
  );
  const rules = {
    statuses: config.statuses,
    assignReference: (createdAtMs: number) => assignReference(createdAtMs, randomBytes),
  };
  // Load is not shed here: recordings have a separate queue, and are accepted while lists are refused.
  const options = {
    listener: 'operator',
    api: OPERATOR_API,
    keyKind: 'operator',
    rateLimit: null,
    takesStreams: true,
    shedsLoad: false,
  } as const;
  return buildListener({ ...dependencies, store: timedStore }, options, async (parts) => {
    const { server, store, statuses, authenticate, keyChecks } = parts;
    const latestCreatedAtMs = () => clock.now() + config.createdAtAheadSeconds * 1000;
    const recorder = refuseTooFarAhead(countingRecorder(store, metrics), store, latestCreatedAtMs);
    const groupCommit = new GroupCommit(recorder, nextTurn);
    recordTransactionRoute(server, { groupCommit, rules, authenticate });
    createTransactionRoute(server, {
      store: {
        recordOnce: recorder.recordOnce,
        listTransactionChanges: (account, reference) => store.listTransactionChanges(account, reference),
      },
      rules,
      authenticate,
    });
    await recordBatchRoute(server, {
      store: refuseTooFarAhead(store, store, latestCreatedAtMs),
      rules,
      authenticate,
      keyChecks,
      countRecorded: metrics.countRecorded,
      logger,
    });
    apiKeyRoutes(server, { store, now: clock.now, randomBytes, authenticate });
    listAccountsRoute(server, { store, now: clock.now, authenticate });
    lookUpTransactionsRoutes(server, {
      store,
      cursors: createCursorSealer(dependencies.cursorSecrets, randomBytes),
      cursorLifetimeSeconds: config.cursorLifetimeSeconds,
      statuses,
      now: clock.now,
      authenticate,
    });
    metricsRoute(server, metrics);
  });
}
