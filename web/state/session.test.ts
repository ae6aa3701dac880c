import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Session, storedSession, storeSession } from './session.ts';
import { Tabs } from './tabs.ts';

const session: Session = {
  key: 'tk_live_1',
  account: 'store-1',
  person: null,
  scopes: ['read'],
  expiresAt: null,
  endsAtMs: null,
  id: '1',
};

function store(text: string | null) {
  let stored = text;
  const sessionStorage = {
    getItem: () => stored,
    setItem: (_name: string, value: string) => {
      stored = value;
    },
  };
  Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage, configurable: true });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'sessionStorage');
});

test('a stored session is read as it was', () => {
  store(null);
  assert.equal(storedSession(), null);
  for (const expiresAt of [null, '2026-01-01T00:00:00.000Z']) {
    storeSession({ ...session, expiresAt });
    assert.deepEqual(storedSession(), { ...session, expiresAt });
  }
});

test('a session that is damaged or of another version is ignored', () => {
  const { scopes: _, ...withoutScopes } = session;
  const damaged = [
    '',
    '{',
    'null',
    '7',
    '[]',
    JSON.stringify(withoutScopes),
    JSON.stringify({ ...session, key: 1 }),
  ];
  for (const text of damaged) {
    store(text);
    assert.equal(storedSession(), null, text);
  }
});

test('a late answer of another tab does not restore a session that was signed out; a new sign-in works', async (t) => {
  const sessionOf = (id: string) => ({ ...session, id });
  const started: string[] = [];
  const last = Promise.withResolvers<void>();
  const tabs = new Tabs({
    onSession: ({ id }) => {
      started.push(id);
      if (id === 'last') last.resolve();
    },
    onSignedOut: (id) => started.push(`not ${id}`),
  });
  const other = new BroadcastChannel('transactions.session');
  t.after(() => {
    tabs.close();
    other.close();
  });
  tabs.signOut('own');
  for (const message of [
    { kind: 'signed in', session: sessionOf('own'), isAnswer: true },
    { kind: 'signed in', session: sessionOf('other'), isAnswer: true },
    { kind: 'signed out', id: 'other' },
    { kind: 'signed in', session: sessionOf('other'), isAnswer: true },
    { kind: 'signed in', session: sessionOf('own') },
    { kind: 'signed in', session: sessionOf('last') },
  ])
    other.postMessage(message);
  await last.promise;
  assert.deepEqual(started, ['other', 'not other', 'own', 'last']);
});
