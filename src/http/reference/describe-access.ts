import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Scope } from '../../keys/scopes.ts';
import { scopeOfHook } from '../access/authenticate.ts';
import { keyExpiresHeader } from '../schemas/responses.ts';
import type { Schema } from '../schemas/type.ts';

/** Sent before the key is checked. */
const WITHOUT_KEY: ReadonlySet<string> = new Set(['401', '408', '413', '414', '431']);

interface ResponseDescription {
  headers: Readonly<Record<string, Schema>>;
}

/**
 * Describes in the document what each route requires of a key: the scope of its Authenticate hook, and the header that its responses can
 * have. A route without such a hook has to say `security: []`, or to be hidden: the service does not start otherwise.
 */
export function describeAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const scope = scopeOf(route);
    if (scope !== undefined) {
      const response = withKeyExpires(route.schema?.response as Record<string, ResponseDescription>);
      route.schema = { ...route.schema, security: [{ apiKey: scope === null ? [] : [scope] }], response };
    } else if (route.schema?.hide !== true && route.schema?.security?.length !== 0) {
      throw new Error(`${route.url} names neither the scope that it requires nor that it requires no key`);
    }
  });
}

function scopeOf({ onRequest }: RouteOptions): Scope | null | undefined {
  const hooks = [onRequest ?? []].flat();
  return hooks.map(scopeOfHook).find((scope) => scope !== undefined);
}

function withKeyExpires(responses: Readonly<Record<string, ResponseDescription>>) {
  const described = Object.entries(responses).map(([status, response]) => [
    status,
    WITHOUT_KEY.has(status)
      ? response
      : { ...response, headers: { ...response.headers, ...keyExpiresHeader } },
  ]);
  return Object.fromEntries(described);
}
