import { Problem } from './problem.ts';
import { createKey, listKeys, readKey, revokeKey, rollKey } from './routes/account-keys.ts';
import { exportCsv, exportNdjson, readManifest } from './routes/export-transactions.ts';
import { listChanges } from './routes/list-changes.ts';
import { listTransactions } from './routes/list-transactions.ts';
import { explainError, health, ready } from './routes/pages.ts';
import { readTotals } from './routes/read-totals.ts';
import { recordBatch, recordTransaction, recordUnderNewReference } from './routes/record-transactions.ts';
import { retrieveTransaction } from './routes/retrieve-transaction.ts';
import { searchTransactions } from './routes/search-transactions.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listFailures,
  listWebhooks,
  readWebhook,
  replayWebhook,
  retryFailure,
  rotateSecret,
  testWebhook,
} from './routes/webhooks.ts';
import type { Handler } from './service.ts';

/** `access` is the scope that a key needs, or says that any key, the operator, or anyone, can send the request. */
export type Route = {
  method: string;
  path: string;
  access: 'read' | 'webhooks' | 'any key' | 'operator' | 'anyone';
  handler: Handler;
};

const ROUTES: Route[] = [
  { method: 'GET', path: '/v1/transactions', access: 'read', handler: listTransactions },
  { method: 'GET', path: '/v1/key', access: 'any key', handler: readKey },
  { method: 'GET', path: '/v1/search', access: 'read', handler: searchTransactions },
  { method: 'GET', path: '/v1/changes', access: 'read', handler: listChanges },
  { method: 'GET', path: '/v1/totals', access: 'read', handler: readTotals },
  { method: 'GET', path: '/v1/transactions.csv', access: 'read', handler: exportCsv },
  { method: 'GET', path: '/v1/transactions.ndjson', access: 'read', handler: exportNdjson },
  { method: 'GET', path: '/v1/exports/{id}', access: 'read', handler: readManifest },
  { method: 'GET', path: '/v1/transactions/{reference}', access: 'read', handler: retrieveTransaction },
  { method: 'GET', path: '/v1/webhooks', access: 'webhooks', handler: listWebhooks },
  { method: 'POST', path: '/v1/webhooks', access: 'webhooks', handler: createWebhook },
  { method: 'GET', path: '/v1/webhooks/{id}', access: 'webhooks', handler: readWebhook },
  { method: 'PATCH', path: '/v1/webhooks/{id}', access: 'webhooks', handler: changeWebhook },
  { method: 'DELETE', path: '/v1/webhooks/{id}', access: 'webhooks', handler: deleteWebhook },
  { method: 'POST', path: '/v1/webhooks/{id}/test', access: 'webhooks', handler: testWebhook },
  { method: 'POST', path: '/v1/webhooks/{id}/replay', access: 'webhooks', handler: replayWebhook },
  { method: 'POST', path: '/v1/webhooks/{id}/rotate-secret', access: 'webhooks', handler: rotateSecret },
  { method: 'GET', path: '/v1/webhooks/{id}/failures', access: 'webhooks', handler: listFailures },
  {
    method: 'POST',
    path: '/v1/webhooks/{id}/failures/{sequence}/retry',
    access: 'webhooks',
    handler: retryFailure,
  },
  {
    method: 'PUT',
    path: '/v1/accounts/{account}/transactions/{reference}',
    access: 'operator',
    handler: recordTransaction,
  },
  {
    method: 'POST',
    path: '/v1/accounts/{account}/transactions',
    access: 'operator',
    handler: recordUnderNewReference,
  },
  { method: 'POST', path: '/v1/batch', access: 'operator', handler: recordBatch },
  { method: 'POST', path: '/v1/accounts/{account}/keys', access: 'operator', handler: createKey },
  { method: 'GET', path: '/v1/accounts/{account}/keys', access: 'operator', handler: listKeys },
  { method: 'DELETE', path: '/v1/accounts/{account}/keys/{id}', access: 'operator', handler: revokeKey },
  { method: 'POST', path: '/v1/accounts/{account}/keys/{id}/roll', access: 'operator', handler: rollKey },
  { method: 'GET', path: '/livez', access: 'anyone', handler: health },
  { method: 'GET', path: '/readyz', access: 'anyone', handler: ready },
  { method: 'GET', path: '/healthz', access: 'anyone', handler: health },
  { method: 'GET', path: '/errors/{code}', access: 'anyone', handler: explainError },
];

/** Finds the route of a request. HEAD is answered by the route of GET. */
export function findRoute(
  method: string,
  address: string,
  basePath: string,
): { route: Route; parameters: Record<string, string> } {
  const path = address.startsWith(`${basePath}/`) ? address.slice(basePath.length) : '';
  const found = ROUTES.map((route) => ({ route, parameters: matchPath(route.path, path) }));
  const matching = found.flatMap(({ route, parameters }) =>
    parameters === undefined ? [] : [{ route, parameters }],
  );
  if (matching.length === 0)
    throw new Problem('not_found', `There is no resource at ${JSON.stringify(address)}`);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const one = matching.find(({ route }) => route.method === wanted);
  if (one !== undefined) return one;
  const methods = matching.flatMap(({ route }) =>
    route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
  );
  const allow = methods.join(', ');
  throw new Problem('method_not_allowed', `The method must be ${allow}`, {}, { Allow: allow });
}

/** Returns the values of the parts in braces, or undefined if the path is another one. */
function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [names, parts] = [pattern.split('/'), path.split('/')];
  if (names.length !== parts.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith('{') && part !== '') values[name.slice(1, -1)] = part;
    else if (name !== part) return undefined;
  }
  return values;
}
