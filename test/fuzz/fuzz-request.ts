import type { Random } from '../rig/run/random.ts';
import {
  body,
  type FuzzEnvironment,
  type FuzzRequest,
  headers,
  invalidValue,
  METHODS,
} from './fuzz-parts.ts';
import { mutated, STRANGE, variantOf, variantOfDate } from './fuzz-values.ts';

export type { FuzzEnvironment, FuzzRequest } from './fuzz-parts.ts';

export function fuzzRequest(random: Random, environment: FuzzEnvironment): FuzzRequest {
  const kind = random.integer(0, 11);
  if (kind <= 3) return listRequest(random, environment);
  if (kind === 4) return changesRequest(random, environment);
  if (kind === 5) return totalsRequest(random, environment);
  if (kind === 6) return pathRequest(random, environment);
  if (kind <= 9) return recordingRequest(random, environment);
  if (kind === 10) return exportRequest(random, environment);
  return keyRequest(random, environment);
}

/** The name of a parameter, and a function that makes a value. */
type FuzzParameter = readonly [string, () => string];

function listRequest(random: Random, environment: FuzzEnvironment): FuzzRequest {
  return queryRequest(random, environment, '/v1/transactions', [
    ['status', () => variantOf(random, 'pending', 'completed')],
    ['currency', () => variantOf(random, 'EUR', 'USD', 'DEM', 'usd')],
    ['from', () => variantOfDate(random)],
    ['to', () => variantOfDate(random)],
    ['merchantReference', () => variantOf(random, 'order-1', 'größer', 'x'.repeat(255), 'x'.repeat(256))],
    ['cursor', () => variantOf(random, ...environment.cursors)],
    [variantOf(random, 'limit', 'page', 'Status', 'status[]', 'from[$gt]'), () => '1'],
  ]);
}

function changesRequest(random: Random, environment: FuzzEnvironment): FuzzRequest {
  // A wait of a second or more would end at its time limit, because nothing else runs meanwhile.
  return queryRequest(random, environment, '/v1/changes', [
    ['after', () => variantOf(random, '0', '7', '24', '25', '26', '9007199254740991')],
    ['limit', () => variantOf(random, '1', '100', '1000', '1001', '0')],
    ['wait', () => random.pick(['0', '00', '31', '-1', '1.5', '1s', '30 ', ...STRANGE])],
    [variantOf(random, 'cursor', 'status', 'After', 'after[]', 'since'), () => '1'],
  ]);
}

function totalsRequest(random: Random, environment: FuzzEnvironment): FuzzRequest {
  return queryRequest(random, environment, '/v1/totals', [
    ['status', () => variantOf(random, 'pending', 'completed')],
    ['currency', () => variantOf(random, 'EUR', 'USD', 'DEM', 'usd')],
    ['from', () => variantOfDate(random)],
    ['to', () => variantOfDate(random)],
    ['timeZone', () => random.pick(['UTC', 'utc', 'Europe/Berln', '+01:00', ...STRANGE])],
    ['by', () => variantOf(random, 'day', 'Day', 'month')],
    ['merchantReference', () => variantOf(random, 'order-1', '')],
    [variantOf(random, 'cursor', 'groupBy', 'By', 'by[]'), () => '1'],
  ]);
}

function exportRequest(random: Random, environment: FuzzEnvironment): FuzzRequest {
  const path = random.pick(['/v1/transactions.csv', '/v1/transactions.ndjson']);
  return queryRequest(random, environment, path, [
    ['status', () => variantOf(random, 'pending', 'completed')],
    ['currency', () => variantOf(random, 'EUR', 'USD', 'DEM', 'usd')],
    ['from', () => variantOfDate(random)],
    ['to', () => variantOfDate(random)],
    ['merchantReference', () => variantOf(random, 'order-1', 'größer', 'x'.repeat(256))],
    ['spreadsheet', () => variantOf(random, 'true', 'false', 'yes')],
    [variantOf(random, 'cursor', 'asOf', 'format', 'resume', 'after'), () => '1'],
  ]);
}

/** A GET with some parameters. Some are repeated or unknown. */
function queryRequest(
  random: Random,
  { accountKey }: FuzzEnvironment,
  path: string,
  known: readonly FuzzParameter[],
): FuzzRequest {
  const parameter = (): string => {
    const unknown: FuzzParameter = [random.pick(STRANGE), () => random.pick(STRANGE)];
    const [name, value] = random.pick([...known, unknown]);
    const text = value();
    const written = random.chance(0.7) ? encodeURIComponent(text.toWellFormed()) : text;
    return `${name}${random.chance(0.95) ? '=' : random.pick(['', '==', ':', '%3D'])}${written}`;
  };
  const parameters = Array.from({ length: random.integer(0, 4) }, parameter);
  if (random.chance(0.1)) parameters.push(...parameters);
  return {
    to: 'public',
    method: random.chance(0.9) ? 'GET' : random.pick(METHODS),
    url: `${path}?${parameters.join(random.chance(0.95) ? '&' : random.pick([';', '&&', '?', '#']))}`,
    headers: headers(random, accountKey, random.chance(0.85)),
  };
}

function pathRequest(random: Random, environment: FuzzEnvironment): FuzzRequest {
  const to = random.pick(['public', 'operator'] as const);
  const path = random.pick([
    '/v1/transactions/order.1',
    '/v1/changes',
    '/v1/totals',
    '/v1/transactions.csv',
    '/v1/exports/exp_0123456789abcdef',
    '/errors/invalid_status',
    '/livez',
    '/readyz',
    '/openapi.json',
    '/v1/accounts/shop/transactions/r1',
    '/v1/batch',
  ]);
  return {
    to,
    method: random.pick(METHODS),
    url: random.chance(0.2) ? `/${random.pick(STRANGE)}` : mutated(random, path),
    headers: headers(
      random,
      to === 'public' ? environment.accountKey : environment.operatorKey,
      random.chance(0.7),
    ),
  };
}

const TRANSACTION = {
  merchantReference: 'order-1',
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-03-31T09:30:00.000Z',
  createdAt: '2026-03-31T09:30:00.000Z',
};

function invalidTransaction(random: Random): Record<string, unknown> {
  const transaction: Record<string, unknown> = { ...TRANSACTION };
  for (let count = random.integer(0, 3); count > 0; count--) {
    const name = random.pick([...Object.keys(TRANSACTION), 'account', 'reference', random.pick(STRANGE)]);
    if (random.chance(0.3)) delete transaction[name];
    else transaction[name] = invalidValue(random);
  }
  return transaction;
}

/** A valid recording, which many other requests contradict. */
function conflictingRequest(random: Random, { operatorKey }: FuzzEnvironment): FuzzRequest {
  return {
    to: 'operator',
    method: 'PUT',
    url: '/v1/accounts/shop/transactions/r1',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ ...TRANSACTION, amount: `${random.integer(1, 9)}.00` }),
  };
}

function recordingRequest(random: Random, environment: FuzzEnvironment): FuzzRequest {
  if (random.chance(0.05)) return conflictingRequest(random, environment);
  const { operatorKey } = environment;
  const account = encodeURIComponent(variantOf(random, 'shop', 'shop-2').toWellFormed());
  const reference = encodeURIComponent(variantOf(random, 'r1', 'r2', 'a'.repeat(64)).toWellFormed());
  const isBatch = random.chance(0.3);
  const isPut = random.chance(0.6);
  const lines = Array.from({ length: random.integer(0, 5) }, () =>
    body(random, { account: 'shop', reference: `r${random.integer(1, 9)}`, ...invalidTransaction(random) }),
  );
  const written = random.chance(0.1) ? { 'idempotency-key': variantOf(random, 'key', 'x'.repeat(256)) } : {};
  const type = isBatch ? 'application/x-ndjson' : 'application/json';
  return {
    to: 'operator',
    method: random.chance(0.9) ? (isPut && !isBatch ? 'PUT' : 'POST') : random.pick(METHODS),
    url: isBatch ? '/v1/batch' : `/v1/accounts/${account}/transactions${isPut ? `/${reference}` : ''}`,
    headers: {
      ...headers(random, operatorKey, random.chance(0.9)),
      ...written,
      'content-type': random.chance(0.9)
        ? type
        : variantOf(random, type, 'text/plain', 'application/json; charset=x'),
    },
    payload: isBatch
      ? Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
      : body(random, invalidTransaction(random)),
  };
}

function keyRequest(random: Random, { operatorKey }: FuzzEnvironment): FuzzRequest {
  // Uses many accounts, so that no list of keys grows without limit.
  const account = encodeURIComponent(
    variantOf(random, `shop-${random.integer(1, 1_000_000)}`).toWellFormed(),
  );
  const method = random.pick(['POST', 'GET', 'DELETE']);
  const id = encodeURIComponent(variantOf(random, 'key_0123456789abcdef').toWellFormed());
  const request = {
    label: random.chance(0.5) ? 'x' : invalidValue(random),
    expiresAt: random.chance(0.5) ? '2030-01-01T00:00:00.000Z' : invalidValue(random),
  };
  return {
    to: 'operator',
    method,
    url: `/v1/accounts/${account}/keys${method === 'DELETE' ? `/${id}` : ''}`,
    headers: {
      ...headers(random, operatorKey, random.chance(0.9)),
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { payload: body(random, request) }),
  };
}
