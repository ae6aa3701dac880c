import { withinTime } from '../../values/time-limit.ts';
import { staffRoutes } from '../staff/http/staff-routes.ts';
import { type StoreCall, wrapStore } from '../store/wrap-store.ts';
import { type App, type AppDependencies, buildListener } from './app.ts';
import { metricsRoute } from './metrics-app.ts';

/**
 * Store calls of the operator's listener that have their own time limit, because the time limit of requests
 * does not cover them: a key is looked up before the body has arrived, and a batch has no time limit.
 */
const TIMED_CALLS: readonly StoreCall[] = ['findApiKey', 'retrieveTransaction'];

/**
 * The operator's interface, on a separate listener. This listener refuses account keys, and the public
 * listener refuses operator keys.
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
