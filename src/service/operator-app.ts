import { withinTime } from '../../values/time-limit.ts';
import { staffRoutes } from '../staff/http/staff-routes.ts';
import type { Store } from '../store/store.ts';
import { type App, type AppDependencies, buildListener } from './app.ts';
import { metricsRoute } from './metrics-app.ts';

const withTimeLimit = (store: Store, timeoutMs: number): Store => ({
  ...store,
  // Needs its own time limit, because the request's time limit begins only when the body has arrived.
  findApiKey: (...values) => withinTime(store.findApiKey(...values), timeoutMs),
  // This call also runs for batches, and a request with a batch has no time limit.
  retrieveTransaction: (...values) => withinTime(store.retrieveTransaction(...values), timeoutMs),
});

/** This listener refuses account keys, and the public listener refuses operator keys. */
export async function buildOperatorApp(dependencies: AppDependencies): Promise<App> {
  const { config, metrics, staff, cursorSecrets } = dependencies;
  return buildListener(
    { ...dependencies, store: withTimeLimit(dependencies.store, config.requestTimeoutMs) },
    {
      listener: 'operator',
      rateLimit: null,
      takesBodiesOfAnyLength: true,
      // An overloaded process refuses reads but accepts recordings, because recordings have a separate queue.
      sheds: 'reads',
      addOthers: (server, context) => {
        metricsRoute(server, metrics);
        if (staff) staffRoutes(server, staff, cursorSecrets, context);
      },
    },
  );
}
