import { staffRoutes } from '../staff/http/staff-routes.ts';
import { limitCalls } from '../store/wrap-store.ts';
import { type App, type AppDependencies, buildListener } from './app.ts';
import { metricsRoute } from './metrics-app.ts';

/**
 * The operator's interface, on a separate listener. It refuses the keys of accounts, and the public listener
 * the operator's.
 */
export async function buildOperatorApp(dependencies: AppDependencies): Promise<App> {
  const { config, metrics, staff, cursorSecrets } = dependencies;
  const store = limitCalls(dependencies.store, config.requestTimeoutMs);
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
