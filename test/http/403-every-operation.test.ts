import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { ListenerOperation, Operation } from '../../src/http/operations/operation.ts';
import { type ApiKey, makeApiKey } from '../../src/keys/api-key.ts';
import { rollKey } from '../../src/keys/roll-key.ts';
import { DEFAULT_SCOPES } from '../../src/keys/scopes.ts';
import { exchangeCode, makeSession } from '../../src/keys/session.ts';
import type { ServiceContext } from '../../src/service/context.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { OPERATOR_ACCOUNT } from '../../src/values/caller.ts';
import type { KeyKind, Scope } from '../../src/values/scopes.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp, type TestResponse, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';

/*
 * Every operation on each of its listeners with every kind of key. A new need does not compile until KEYS has what each key gets.
 */

/**
 * What an operation needs: no key, any key of its kind, or a scope. `lines`: the scope record, and the accounts are in the
 * lines of the body. `look up` and `accounts`: the operator's scope read, for the account of the path, and for all accounts
 * that the key can be used for. `own session`: any key, which is that of a session.
 */
type Need =
  | 'no key'
  | 'any key'
  | 'own session'
  | 'read'
  | 'webhooks'
  | 'record'
  | 'lines'
  | 'keys'
  | 'sessions'
  | 'look up'
  | 'accounts';

/** The only operations that need no key. */
const OPEN = ['livez', 'healthz', 'readyz', 'openSession'];

interface Described extends ListenerOperation {
  listener: 'public' | 'operator';
  method: Operation<ServiceContext>['method'] | 'HEAD';
  operation: Operation<ServiceContext>;
}

/** Each operation on each of its listeners, each reading one also with HEAD. */
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
  if (access === 'read') return hasAccount ? 'look up' : 'accounts';
  return access === 'record' && !hasAccount ? 'lines' : access;
}

type Expected =
  | 'allowed'
  | '401 missing_api_key'
  | '401 invalid_api_key'
  | '403 insufficient_scope'
  | '403 not_a_session';
type Row = Readonly<Record<Exclude<Need, 'no key'>, Expected>>;

const [YES, MISSING, INVALID, TOO_LITTLE, NO_SESSION] = [
  'allowed',
  '401 missing_api_key',
  '401 invalid_api_key',
  '403 insufficient_scope',
  '403 not_a_session',
] as const;

const always = (expected: Expected): Row => ({
  'any key': expected,
  'own session': expected,
  read: expected,
  webhooks: expected,
  record: expected,
  lines: expected,
  keys: expected,
  sessions: expected,
  'look up': expected,
  accounts: expected,
});
/** A key is unknown on the listener for the other kind. */
const account = (read: Expected, webhooks: Expected): Row => ({
  ...always(INVALID),
  'any key': YES,
  'own session': NO_SESSION,
  read,
  webhooks,
});
const operator = (
  record: Expected,
  lines: Expected,
  keys: Expected,
  lookUp = TOO_LITTLE as Expected,
  accounts = lookUp,
  sessions = TOO_LITTLE as Expected,
): Row => ({
  ...always(INVALID),
  sessions,
  record,
  lines,
  keys,
  'look up': lookUp,
  accounts,
});

interface Key {
  gets: Row;
  kind: KeyKind;
  fields?: Partial<ApiKey>;
  /** What happened to it. */
  fate?: 'revoked' | 'rolled, and at its end' | 'rolled';
  /** It is the key of a session. */
  session?: 'open' | 'waiting' | 'ended';
  /** What happened to the operator's key that made the session. */
  maker?: Key['fate'] | 'expired';
  /** What is sent instead of the key. */
  sent?: (key: string) => string | null;
}

/** The session of a person, which gets what a key with its scopes gets, and can end itself. */
const session = (scopes: readonly Scope[], read: Expected, webhooks: Expected, more?: Partial<Key>): Key => ({
  kind: 'account',
  session: 'open',
  fields: { scopes },
  gets: { ...account(read, webhooks), 'own session': YES },
  ...more,
});
const noSession = (more: Partial<Key>): Key =>
  session(['read', 'webhooks'], INVALID, INVALID, { gets: always(INVALID), ...more });

/** The account of every path is store-1. */
const ACCOUNT = 'store-1';
const NOW_MS = Date.UTC(2026, 5, 15, 12);

const misspelt = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
const unknown = () => makeApiKey({ account: ACCOUNT, label: null, expiresAtMs: null }, 0, randomBytes).key;
const later = ['refund'] as unknown as readonly Scope[];

/** What each key gets. */
const KEYS: Readonly<Record<string, Key>> = {
  'no key': { kind: 'account', sent: () => null, gets: always(MISSING) },
  'a misspelt key': { kind: 'account', sent: misspelt, gets: always(INVALID) },
  "a misspelt operator's key": { kind: 'operator', sent: misspelt, gets: always(INVALID) },
  'an unknown key': { kind: 'account', sent: unknown, gets: always(INVALID) },
  'a revoked key': { kind: 'account', fate: 'revoked', gets: always(INVALID) },
  "a revoked operator's key": { kind: 'operator', fate: 'revoked', gets: always(INVALID) },
  'an expired key': { kind: 'account', fields: { expiresAtMs: NOW_MS }, gets: always(INVALID) },
  "an expired operator's key": { kind: 'operator', fields: { expiresAtMs: NOW_MS }, gets: always(INVALID) },
  'a rolled key at its end': { kind: 'account', fate: 'rolled, and at its end', gets: always(INVALID) },
  "a rolled operator's key at its end": {
    kind: 'operator',
    fate: 'rolled, and at its end',
    gets: always(INVALID),
  },
  'a rolled key before its end': { kind: 'account', fate: 'rolled', gets: account(YES, TOO_LITTLE) },
  "a rolled operator's key before its end": {
    kind: 'operator',
    fate: 'rolled',
    gets: operator(YES, YES, YES),
  },
  'a key in its last millisecond': {
    kind: 'account',
    fields: { expiresAtMs: NOW_MS + 1 },
    gets: account(YES, TOO_LITTLE),
  },
  'a key for which no scopes were named': { kind: 'account', gets: account(YES, TOO_LITTLE) },
  "an operator's key for which no scopes were named": { kind: 'operator', gets: operator(YES, YES, YES) },
  read: { kind: 'account', fields: { scopes: ['read'] }, gets: account(YES, TOO_LITTLE) },
  webhooks: { kind: 'account', fields: { scopes: ['webhooks'] }, gets: account(TOO_LITTLE, YES) },
  'read and webhooks': {
    kind: 'account',
    fields: { scopes: ['read', 'webhooks'] },
    gets: account(YES, YES),
  },
  'only a scope that a later version has': {
    kind: 'account',
    fields: { scopes: later },
    gets: account(TOO_LITTLE, TOO_LITTLE),
  },
  "an operator's scopes in an account's key": {
    kind: 'account',
    fields: { scopes: ['record', 'keys'] },
    gets: account(TOO_LITTLE, TOO_LITTLE),
  },
  record: { kind: 'operator', fields: { scopes: ['record'] }, gets: operator(YES, YES, TOO_LITTLE) },
  keys: { kind: 'operator', fields: { scopes: ['keys'] }, gets: operator(TOO_LITTLE, TOO_LITTLE, YES) },
  "an account's scopes in an operator's key": {
    kind: 'operator',
    fields: { scopes: ['read', 'webhooks'] },
    gets: operator(TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, YES),
  },
  'a prefix of the account': {
    kind: 'operator',
    fields: { accountPrefix: 'store-' },
    gets: operator(YES, YES, YES),
  },
  'the account as the prefix': {
    kind: 'operator',
    fields: { accountPrefix: ACCOUNT },
    gets: operator(YES, YES, YES),
  },
  // Each line of the body that is of another account fails by itself.
  'another prefix': {
    kind: 'operator',
    fields: { accountPrefix: 'shop-' },
    gets: operator(TOO_LITTLE, YES, TOO_LITTLE),
  },
  'a prefix that is longer than the account': {
    kind: 'operator',
    fields: { accountPrefix: `${ACCOUNT}0` },
    gets: operator(TOO_LITTLE, YES, TOO_LITTLE),
  },
  'the prefix in another case': {
    kind: 'operator',
    fields: { accountPrefix: 'Store-' },
    gets: operator(TOO_LITTLE, YES, TOO_LITTLE),
  },
  "an operator's read": {
    kind: 'operator',
    fields: { scopes: ['read'] },
    gets: operator(TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, YES),
  },
  'a prefix of the account, for reading': {
    kind: 'operator',
    fields: { accountPrefix: 'store-', scopes: ['read'] },
    gets: operator(TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, YES),
  },
  'another prefix, for reading': {
    kind: 'operator',
    fields: { accountPrefix: 'shop-', scopes: ['read'] },
    gets: operator(TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, YES),
  },
  "an operator's sessions": {
    kind: 'operator',
    fields: { scopes: ['sessions'] },
    gets: operator(TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, YES),
  },
  'a prefix of the account, for sessions': {
    kind: 'operator',
    fields: { accountPrefix: 'store-', scopes: ['sessions'] },
    gets: operator(TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, TOO_LITTLE, YES),
  },
  'another prefix, for sessions': {
    kind: 'operator',
    fields: { accountPrefix: 'shop-', scopes: ['sessions'] },
    gets: operator(TOO_LITTLE, TOO_LITTLE, TOO_LITTLE),
  },
  'a session that reads': session(['read'], YES, TOO_LITTLE),
  'a session for webhooks': session(['webhooks'], TOO_LITTLE, YES),
  'a session for both': session(['read', 'webhooks'], YES, YES),
  'a session in its last millisecond': session(['read'], YES, TOO_LITTLE, {
    fields: { scopes: ['read'], expiresAtMs: NOW_MS + 1 },
  }),
  'the code of a session, in place of its key': noSession({ session: 'waiting' }),
  'an ended session': noSession({ session: 'ended' }),
  'an expired session': noSession({ fields: { expiresAtMs: NOW_MS } }),
  'a session whose maker was revoked': noSession({ maker: 'revoked' }),
  'a session whose maker has expired': noSession({ maker: 'expired' }),
  'a session whose maker was rolled, at its end': noSession({ maker: 'rolled, and at its end' }),
  'a session whose maker was rolled, before its end': session(['read'], YES, TOO_LITTLE, {
    maker: 'rolled',
  }),
  'a prefix of the account, for keys': {
    kind: 'operator',
    fields: { accountPrefix: 'store-', scopes: ['keys'] },
    gets: operator(TOO_LITTLE, TOO_LITTLE, YES),
  },
};

const DOCUMENTS = { public: 'openapi.json', operator: 'openapi-operator.json' } as const;

const SCOPE_OF_NEED: Partial<Record<Need, Scope>> = { lines: 'record', 'look up': 'read', accounts: 'read' };

test('every operation needs a key, but those that are open', () => {
  const open = DESCRIBED.filter((described) => needOf(described) === 'no key').map(({ id }) => id);
  assert.deepEqual([...new Set(open)].sort(), [...OPEN].sort());
});

test('both documents name what each operation needs', () => {
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
        // What is wrong with the key has precedence over what is wrong with the request.
        if (expected === YES || expected === NO_SESSION) continue;
        const faulty = await send(operation, `${urlOf(operation, '%20')}?nonsense=1`, key);
        check(faulty, expected, need, `a faulty ${id} with ${name}`);
      }
    });
  }
});

/** Stores a session, and returns its key, or its code while it waits. */
async function makeSessionKey(store: Store, { session: state, maker, fields }: Key): Promise<string> {
  const operator = makeApiKey({ account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null }, 0, randomBytes);
  const { id: keyId } = operator.stored;
  await store.createApiKey(
    { ...operator.stored, expiresAtMs: maker === 'expired' ? NOW_MS : null },
    someEntry(),
  );
  const wanted = {
    account: ACCOUNT,
    person: 'ada',
    reason: null,
    scopes: DEFAULT_SCOPES.account,
    expiresInMs: 60_000,
  };
  const { code, stored } = makeSession(
    { ...wanted, maker: { keyId, expiresAtMs: null } },
    NOW_MS - 1000,
    randomBytes,
  );
  await store.createApiKey({ ...stored, ...fields }, someEntry());
  if (state === 'waiting') return code;
  const { key } = (await exchangeCode(store, code, () => someStamp(NOW_MS - 1), randomBytes)) ?? {};
  const { account, id } = stored;
  if (state === 'ended')
    await store.endSessions({ account, id, person: null, nowMs: NOW_MS - 1 }, someEntry());
  if (maker !== 'expired') await meet(store, operator.stored, maker);
  return key as string;
}

/** Stores a key, and returns what is sent. */
async function makeKey(store: Store, wantedKey: Key): Promise<string | null> {
  const { kind, fields, fate, sent } = wantedKey;
  if (wantedKey.session !== undefined) return makeSessionKey(store, wantedKey);
  const wanted = { account: kind === 'account' ? ACCOUNT : OPERATOR_ACCOUNT, label: null, expiresAtMs: null };
  const { key, stored } = makeApiKey(wanted, NOW_MS - 1000, randomBytes);
  await store.createApiKey({ ...stored, ...fields }, someEntry());
  await meet(store, stored, fate);
  return sent === undefined ? key : sent(key);
}

async function meet(store: Store, stored: ApiKey, fate: Key['fate']): Promise<void> {
  const { id } = stored;
  const roll = (graceMs: number) =>
    rollKey(store, stored, { graceMs, expiresAtMs: undefined }, someStamp(NOW_MS), randomBytes);
  if (fate === 'revoked') assert.ok(await store.revokeApiKey(id, NOW_MS, someEntry()));
  if (fate === 'rolled') assert.ok(await roll(1));
  if (fate === 'rolled, and at its end') assert.ok(await roll(0));
}

/** The URL of an operation, with the example of each parameter of its path, or with another text in place of the last one. */
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
