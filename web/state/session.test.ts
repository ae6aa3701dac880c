import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Session, storedSession, storeSession } from './session.ts';

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
