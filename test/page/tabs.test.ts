import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../web/state/session.ts';
import { Tabs } from '../../web/state/tabs.ts';

const session = (id: string): Session => ({
  key: `tk_live_${id}`,
  account: 'store-1',
  person: null,
  scopes: ['read'],
  expiresAt: null,
  endsAtMs: null,
  id,
});

test('a late answer of another tab does not restore a session that was signed out; a new sign-in works', async (t) => {
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
    { kind: 'signed in', session: session('own'), isAnswer: true },
    { kind: 'signed in', session: session('other'), isAnswer: true },
    { kind: 'signed out', id: 'other' },
    { kind: 'signed in', session: session('other'), isAnswer: true },
    { kind: 'signed in', session: session('own') },
    { kind: 'signed in', session: session('last') },
  ])
    other.postMessage(message);
  await last.promise;
  assert.deepEqual(started, ['other', 'not other', 'own', 'last']);
});
