import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { ListenerOperation, Operation } from '../../src/http/operations/operation.ts';
import { type ApiKey, DEFAULT_SCOPES, makeApiKey } from '../../src/keys/api-key.ts';
import { exchangeCode, makeSession } from '../../src/keys/session.ts';
import type { ServiceContext } from '../../src/service/context.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import type { KeyKind, Scope } from '../../values/scopes.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp, type TestResponse, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';

type Need = 'no key' | 'any key' | 'own session' | 'read' | 'webhooks' | (typeof OPERATORS)[number];
const OPERATORS = ['record', 'record lines', 'keys', 'sessions', 'read account', 'read accounts'] as const;
const NEEDS = ['any key', 'own session', 'read', 'webhooks', ...OPERATORS] as const;

const OPEN = ['livez', 'healthz', 'readyz', 'openSession'];

interface Described extends ListenerOperation {
  listener: 'public' | 'operator';
  method: Operation<ServiceContext>['method'] | 'HEAD';
  operation: Operation<ServiceContext>;
}

const DESCRIBED = OPERATIONS.flatMap((operation) =>
  (['public', 'operator'] as const).flatMap((listener): Described[] => {
    const offer = operation[listener];
    if (offer === undefined) return [];
    const described = { ...offer, listener, operation, method: operation.method };
    return operation.method === 'GET' ? [described, { ...described, method: 'HEAD' }] : [described];
  }),
);

function needOf({ id, access, listener, path }: Described): Need {
  if (id === 'signOut') return 'own session';
  if (listener === 'public' || access === 'no key') return access;
  const hasAccount = path.includes(':account');
  if (access === 'read') return hasAccount ? 'read account' : 'read accounts';
  return access === 'record' && !hasAccount ? 'record lines' : access;
}

const [YES, MISSING, INVALID, TOO_LITTLE, NO_SESSION] = [
  'allowed',
  '401 missing_api_key',
  '401 invalid_api_key',
  '403 insufficient_scope',
  '403 not_a_session',
] as const;
type Expected = typeof YES | typeof MISSING | typeof INVALID | typeof TOO_LITTLE | typeof NO_SESSION;
type Row = Readonly<Record<Exclude<Need, 'no key'>, Expected>>;

const always = (expected: Expected) => Object.fromEntries(NEEDS.map((need) => [need, expected])) as Row;
const NOTHING = always(INVALID);
const account = (...allowed: readonly (keyof Row)[]): Row => ({
  ...NOTHING,
  'any key': YES,
  'own session': NO_SESSION,
  read: TOO_LITTLE,
  webhooks: TOO_LITTLE,
  ...Object.fromEntries(allowed.map((need) => [need, YES])),
});
const operator = (...allowed: readonly (typeof OPERATORS)[number][]): Row => ({
  ...NOTHING,
  ...Object.fromEntries(OPERATORS.map((need) => [need, allowed.includes(need) ? YES : TOO_LITTLE])),
});

interface Key {
  gets: Row;
  kind: KeyKind;
  fields?: Partial<ApiKey>;
  session?: 'open' | 'waiting';
  sent?: () => string | null;
}

const ACCOUNT = 'store-1';
const NOW_MS = Date.UTC(2026, 5, 15, 12);

const unknown = () => makeApiKey({ account: ACCOUNT, label: null, expiresAtMs: null }, 0, randomBytes).key;
const expired = { fields: { expiresAtMs: NOW_MS } };

const ofAccount = (gets: Row, more: Partial<Key> = {}): Key => ({ kind: 'account', gets, ...more });
const ofOperator = (gets: Row, more: Partial<Key> = {}): Key => ({ kind: 'operator', gets, ...more });
const scoped = (scopes: readonly string[], gets: Row, more: Partial<ApiKey> = {}) =>
  ofAccount(gets, { fields: { scopes: scopes as readonly Scope[], ...more } });
const operators = (scopes: readonly Scope[], gets: Row) => ofOperator(gets, { fields: { scopes } });
const prefixed = (accountPrefix: string, gets: Row, scopes?: readonly Scope[]) =>
  ofOperator(gets, { fields: { accountPrefix, ...(scopes && { scopes }) } });
const session = (...scopes: ('read' | 'webhooks')[]) =>
  ofAccount({ ...account(...scopes), 'own session': YES }, { session: 'open', fields: { scopes } });

const RECORDS = ['record', 'record lines'] as const;
const ALL = [...RECORDS, 'keys'] as const;

const KEYS: Readonly<Record<string, Key>> = {
  'no key': ofAccount(always(MISSING), { sent: () => null }),
  'an unknown key': ofAccount(NOTHING, { sent: unknown }),
  'an expired key': ofAccount(NOTHING, expired),
  "an expired operator's key": ofOperator(NOTHING, expired),
  'a key for which no scopes were named': ofAccount(account('read')),
  "an operator's key for which no scopes were named": ofOperator(operator(...ALL)),
  read: scoped(['read'], account('read')),
  webhooks: scoped(['webhooks'], account('webhooks')),
  'read and webhooks': scoped(['read', 'webhooks'], account('read', 'webhooks')),
  'only a scope that a later version has': scoped(['refund'], account()),
  "an operator's scopes in an account's key": scoped(['record', 'keys'], account()),
  record: operators(['record'], operator(...RECORDS)),
  keys: operators(['keys'], operator('keys')),
  "an account's scopes in an operator's key": operators(
    ['read', 'webhooks'],
    operator('read account', 'read accounts'),
  ),
  'a prefix of the account': prefixed('store-', operator(...ALL)),
  'another prefix': prefixed('shop-', operator('record lines')),
  "an operator's read": operators(['read'], operator('read account', 'read accounts')),
  'a prefix of the account, for reading': prefixed('store-', operator('read account', 'read accounts'), [
    'read',
  ]),
  'another prefix, for reading': prefixed('shop-', operator('read accounts'), ['read']),
  "an operator's sessions": operators(['sessions'], operator('sessions')),
  'a prefix of the account, for sessions': prefixed('store-', operator('sessions'), ['sessions']),
  'another prefix, for sessions': prefixed('shop-', operator(), ['sessions']),
  'a prefix of the account, for keys': prefixed('store-', operator('keys'), ['keys']),
  'a session that reads': session('read'),
  'a session for webhooks': session('webhooks'),
  'a session for both': session('read', 'webhooks'),
  'the code of a session, in place of its key': ofAccount(NOTHING, { session: 'waiting' }),
};

const DOCUMENTS = { public: 'openapi.json', operator: 'openapi-operator.json' } as const;

const SCOPE_OF_NEED: Partial<Record<Need, Scope>> = {
  'record lines': 'record',
  'read account': 'read',
  'read accounts': 'read',
};

test('every operation needs a key, except those in OPEN', () => {
  const open = DESCRIBED.filter((described) => needOf(described) === 'no key').map(({ id }) => id);
  assert.deepEqual([...new Set(open)].sort(), [...OPEN].sort());
});

test('both OpenAPI documents state what each operation needs', () => {
  for (const listener of ['public', 'operator'] as const) {
    const { paths } = JSON.parse(
      readFileSync(new URL(`../../${DOCUMENTS[listener]}`, import.meta.url), 'utf8'),
    );
    const inDocument = Object.values<Record<string, { operationId: string; security: object[] }>>(paths)
      .flatMap((path) => Object.values(path))
      .map(({ operationId, security }) => [operationId, security]);
    const declared = DESCRIBED.filter((one) => one.listener === listener && one.method !== 'HEAD');
    const expected = declared.map(({ id, access }) => {
      const scopes = access === 'any key' ? [] : [access];
      return [id, access === 'no key' ? [] : [{ apiKey: scopes }]];
    });
    assert.deepEqual(Object.fromEntries(inDocument), Object.fromEntries(expected));
  }
});

describe('each operation', () => {
  const folder = temporaryFolder();
  const sentKeys = new Map<string, string | null>();
  let store: Store;
  let send: (operation: Described, url: string, key: string | null) => Promise<TestResponse>;

  before(async () => {
    const clock = testClock(NOW_MS);
    ({ store } = await openStore(`sqlite:${folder.path}/transactions.db`, clock.now));
    for (const [name, key] of Object.entries(KEYS)) sentKeys.set(name, await makeKey(store, key));
    const app = await buildTestApp({ store, clock });
    const operatorApp = await buildTestOperatorApp(store, clock);
    send = ({ listener, method }, url, key) =>
      listener === 'public'
        ? app.send(url, { method, ...(key !== null && { key }) })
        : operatorApp.send(url, { method, key });
  });
  after(async () => {
    await store.close();
    folder.remove();
  });

  for (const operation of DESCRIBED) {
    const { id, method, listener } = operation;
    test(`${id} (${method}, ${listener}) gives each key what the table says`, async () => {
      const need = needOf(operation);
      for (const [name, { gets }] of Object.entries(KEYS)) {
        const expected = need === 'no key' ? YES : gets[need];
        const key =
          need === 'own session' ? await makeKey(store, KEYS[name] as Key) : (sentKeys.get(name) ?? null);
        const response = await send(operation, urlOf(operation), key);
        check(response, expected, need, `${id} with ${name}`);
        if (expected === YES || expected === NO_SESSION) continue;
        const faulty = await send(operation, `${urlOf(operation, '%20')}?nonsense=1`, key);
        check(faulty, expected, need, `a faulty ${id} with ${name}`);
      }
    });

    test(`${id} (${method}, ${listener}) refuses a parameter that it does not have`, async () => {
      const need = needOf(operation);
      const [name = ''] =
        Object.entries(KEYS).find(([, { gets }]) => need === 'no key' || gets[need] === YES) ?? [];
      const { status, body } = await send(
        operation,
        `${urlOf(operation)}?nonsense=1&nonsense=2`,
        sentKeys.get(name) ?? null,
      );
      assert.equal(status, 400);
      if (method === 'HEAD') return;
      const [{ parameter, code }, ...others] = body.errors;
      assert.deepEqual([parameter, code, others], ['nonsense', 'unknown_parameter', []]);
    });
  }
});

async function makeSessionKey(store: Store, { session: state, fields }: Key): Promise<string> {
  const operator = makeApiKey({ account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null }, 0, randomBytes);
  await store.createApiKey(operator.stored, someEntry());
  const wanted = {
    account: ACCOUNT,
    person: 'ada',
    reason: null,
    scopes: DEFAULT_SCOPES.account,
    expiresInMs: 60_000,
    maker: { keyId: operator.stored.id, expiresAtMs: null },
  };
  const { code, stored } = makeSession(wanted, NOW_MS - 1000, randomBytes);
  await store.createApiKey({ ...stored, ...fields }, someEntry());
  if (state === 'waiting') return code;
  return (await exchangeCode(store, code, () => someStamp(NOW_MS - 1), randomBytes))?.key as string;
}

async function makeKey(store: Store, wantedKey: Key): Promise<string | null> {
  const { kind, fields, sent } = wantedKey;
  if (wantedKey.session !== undefined) return makeSessionKey(store, wantedKey);
  const wanted = { account: kind === 'account' ? ACCOUNT : OPERATOR_ACCOUNT, label: null, expiresAtMs: null };
  const { key, stored } = makeApiKey(wanted, NOW_MS - 1000, randomBytes);
  await store.createApiKey({ ...stored, ...fields }, someEntry());
  return sent === undefined ? key : sent();
}

function urlOf({ path, operation: { pathParameters = {} } }: Described, last?: string): string {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return names.reduce((url, name, index) => {
    const isReplaced = last !== undefined && index === names.length - 1;
    const [example] = (pathParameters[name]?.schema['examples'] ?? []) as string[];
    return url.replace(`:${name}`, isReplaced ? last : String(example));
  }, path);
}

function check({ status, headers, body }: TestResponse, expected: Expected, need: Need, what: string): void {
  if (expected === 'allowed') {
    assert.ok(status !== 401 && status !== 403 && status < 500, `${what} got ${status}`);
    return;
  }
  const [expectedStatus, code] = expected.split(' ');
  assert.equal(String(status), expectedStatus, what);
  if (body !== undefined) assert.equal(body.code, code, what);
  const challenge = String(headers['www-authenticate']);
  if (code !== 'insufficient_scope') return;
  const scope = SCOPE_OF_NEED[need] ?? need;
  assert.match(challenge, /^Bearer realm="transactions", error="insufficient_scope"/, what);
  const named = / scope="(\w+)"$/.exec(challenge)?.[1];
  if (named !== undefined) assert.equal(named, scope, what);
  if (body !== undefined)
    assert.ok(
      body.detail.includes(named === undefined ? 'accounts that begin with' : `scope ${named}`),
      what,
    );
}
