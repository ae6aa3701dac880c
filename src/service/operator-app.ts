import { withinTime } from '../../values/time-limit.ts';
import { staffRoutes } from '../staff/http/staff-routes.ts';
import { type StoreCall, wrapStore } from '../store/wrap-store.ts';
import { type App, type AppDependencies, buildListener } from './app.ts';
import { metricsRoute } from './metrics-app.ts';

/**
 * Calls of the operator's listener that get a separate time limit, because the time limit of a request does
 * not cover them: a key is looked up before the body has arrived, and a batch has no time limit.
 */
const TIMED_CALLS: readonly StoreCall[] = ['findApiKey', 'retrieveTransaction'];

/**
 * The operator's interface, on a separate listener. It refuses the keys of accounts, and the public listener
 * the operator's.
 */
export async function buildOperatorApp(dependencies: AppDependencies): Promise<App> {
  const { config, metrics, staff, cursorSecrets } = dependencies;
  const store = wrapStore(dependencies.store, TIMED_CALLS, (_name, call) =>
    withinTime(call(), config.requestTimeoutMs),
  );
  return buildListener(
    { ...dependencies, store },
    {
      listener: 'operator',
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
