import { withinTime } from '../../values/time-limit.ts';
import { staffRoutes } from '../staff/http/staff-routes.ts';
import { type StoreCall, wrapStore } from '../store/wrap-store.ts';
import { type App, type AppDependencies, buildListener } from './app.ts';
import { metricsRoute } from './metrics-app.ts';

const OPERATOR_API = {
  title: "Transactions: the operator's interface",
  description:
    'Records and looks up transactions, and creates API keys, for the payment platform that operates the service.',
  keyDescription: 'A key of the operator: tk_operator_ and 36 characters.',
  tags: [
    { name: 'recording', description: 'Recording transactions' },
    { name: 'looking up', description: 'Finding accounts and their transactions' },
    { name: 'keys', description: "Accounts' API keys" },
    { name: 'sessions', description: 'What lets people look at an account' },
    { name: 'operation', description: 'Monitoring the service' },
  ],
};

/**
 * Store calls that get a separate time limit, because the time limit of a request does not cover them: a key is looked
 * up before the body has arrived, recordings wait for each other, and a batch has no time limit.
 */
const TIMED_CALLS: readonly StoreCall[] = ['findApiKey', 'retrieveTransaction', 'record'];

/** The operator's interface, on a separate listener. It refuses the keys of accounts, and the public listener the operator's. */
export async function buildOperatorApp(dependencies: AppDependencies): Promise<App> {
  const { config, metrics, staff, cursorSecrets } = dependencies;
  const store = wrapStore(dependencies.store, TIMED_CALLS, (_name, call) =>
    withinTime(call(), config.requestTimeoutMs),
  );
  return buildListener(
    { ...dependencies, store },
    {
      listener: 'operator',
      api: OPERATOR_API,
      rateLimit: null,
      takesBodiesOfAnyLength: true,
      // Recordings have a separate queue, and are accepted while reads are refused.
      sheds: 'reads',
      addOthers: (server, context) => {
        metricsRoute(server, metrics);
        if (staff) staffRoutes(server, staff, cursorSecrets, context);
      },
    },
  );
}
