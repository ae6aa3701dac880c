import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Session } from '../../src/keys/api-key.ts';
import {
  KEY_ENDS_PAGE,
  type PersonQuery,
  SESSIONS_AT_ONCE,
  type SessionPosition,
  type SessionQuery,
} from '../../src/keys/keys.ts';
import { stateOfSession } from '../../src/keys/session.ts';
import type { Store } from '../../src/store/store.ts';
import { someEntry } from '../rig/store/audit.ts';
import { apiKey } from './api-keys-contract.ts';

const MAKER = apiKey('key_00000000000000ma', {
  account: '*',
  keyStart: 'tk_operator_AAAAAA',
  scopes: ['sessions'],
});

/** The session expires at 100,000 ms. The code is valid from 1000 ms to 61,000 ms. */
export function waitingSession(
  id: string,
  fields: Partial<Session> = {},
  part: Partial<Session['session']> = {},
): Session {
  const session = { person: 'ada', reason: null, codeExpiresAtMs: 61_000, openedAtMs: null, madeBy: null };
  return {
    ...apiKey(id, { hash: hashOf(`code of ${id}`), keyStart: 'ts_code_aaaaaa' }),
    expiresAtMs: 100_000,
    session: { ...session, ...part },
    ...fields,
  };
}

const hashOf = (text: string) => hash('sha256', text, 'hex');
const opening = (id: string, nowMs: number) => ({
  codeHash: hashOf(`code of ${id}`),
  hash: hashOf(`key of ${id} at ${nowMs}`),
  keyStart: 'ts_live_bbbbbb',
  nowMs,
});
const ID = 'ses_0000000000000001';
const ALL = { account: 'store-1', person: null, id: null, nowMs: 3000 };

export function sessionsContract(store: Store): void {
  describe('its sessions', () => {
    const create = (...sessions: Session[]) =>
      Promise.all(sessions.map((session) => store.createApiKey(session, someEntry())));
    const actions = async () => (await store.listAudit(null, null, 100)).map(({ action }) => action);
    const entry = (action: 'session.opened' | 'session.ended') => ({ ...someEntry(), action });

    const open = (id: string, nowMs: number) =>
      store.openSession(opening(id, nowMs), entry('session.opened'));

    test('are found by the code before they are opened, then only by the key, and by their id, with every stored field', async () => {
      const session = waitingSession(
        ID,
        { scopes: ['read', 'webhooks'] },
        { person: 'Ada Lovelace <ada@shop.example>', reason: 'ticket 1014 \u{1F600}' },
      );
      await create(session);
      assert.deepEqual(await store.findApiKey(hashOf(`code of ${ID}`)), session);
      const { hash: keyHash, keyStart } = opening(ID, 2000);
      assert.equal(await open(ID, 2000), true);
      const opened = {
        ...session,
        hash: keyHash,
        keyStart,
        session: { ...session.session, openedAtMs: 2000 },
      };
      assert.equal(await store.findApiKey(hashOf(`code of ${ID}`)), undefined);
      assert.deepEqual(await store.findApiKey(keyHash), opened);
      assert.deepEqual(await store.retrieveApiKey(ID), opened);
      await store.touchApiKeys([{ account: 'store-1', id: ID, usedAtMs: 2500 }]);
      assert.equal((await store.findApiKey(keyHash))?.lastUsedAtMs, 2500);
    });

    test('are not opened if their code has expired, or if they have ended or expired, and nothing is written', async () => {
      const ids = [1, 2, 3].map((number) => `ses_000000000000000${number}`) as [string, string, string];
      const [late, ended, expired] = ids;
      await create(
        waitingSession(late),
        waitingSession(ended),
        waitingSession(expired, {}, { codeExpiresAtMs: 200_000 }),
      );
      await store.endSessions({ ...ALL, id: ended }, entry('session.ended'));
      const before = await actions();
      assert.equal(await open(late, 61_000), false);
      assert.equal(await open(ended, 4000), false);
      assert.equal(await open(expired, 100_000), false);
      assert.equal(await open('another', 2000), false);
      assert.deepEqual(await actions(), before);
      for (const id of ids) assert.equal((await store.retrieveApiKey(id))?.session?.openedAtMs, null);
      assert.equal(await open(late, 60_999), true);
    });

    test('a key is not opened as if its hash were that of a code', async () => {
      await store.createApiKey(apiKey('key_0000000000000001', { expiresAtMs: 100_000 }), someEntry());
      const { hash: codeHash } = apiKey('key_0000000000000001');
      const stolen = { ...opening(ID, 2000), codeHash };
      assert.equal(await store.openSession(stolen, entry('session.opened')), false);
    });

    test('end with the key that made them, however that ends, and at once if that key does not exist', async () => {
      const made = { madeBy: MAKER.id };
      await store.createApiKey(MAKER, someEntry());
      await create(
        waitingSession(ID, {}, made),
        waitingSession('ses_0000000000000002', {}, { madeBy: 'key_000000000000none' }),
      );
      await open(ID, 2000);
      const find = async () => (await store.findApiKey(opening(ID, 2000).hash)) as Session;
      assert.deepEqual([(await find()).expiresAtMs, (await find()).revokedAtMs], [100_000, null]);
      await store.rollApiKey(
        { account: '*', id: MAKER.id, created: null, untilMs: 50_000, nowMs: 2100 },
        someEntry(),
      );
      assert.deepEqual([(await find()).expiresAtMs, (await find()).revokedAtMs], [50_000, null]);
      await store.revokeApiKey(MAKER.id, 2200, someEntry());
      assert.equal((await find()).revokedAtMs, 2200);
      const [orphan, first] = await store.listSessions({ account: 'store-1', person: null }, null, 10);
      assert.deepEqual([orphan?.revokedAtMs, first?.revokedAtMs], [1000, 2200]);
    });

    test('are ended alone, by person, or for one account or all, each with its own end for every instance', async () => {
      const sessions = [
        waitingSession('ses_0000000000000001'),
        waitingSession('ses_0000000000000002'),
        waitingSession('ses_0000000000000003', {}, { person: 'ben' }),
        waitingSession('ses_0000000000000004', { account: 'store-2' }),
        waitingSession('ses_0000000000000005', { expiresAtMs: 2000 }),
      ];
      await create(...sessions);
      await store.createApiKey(apiKey('key_0000000000000001'), someEntry());
      const ended = async () =>
        (await store.listKeyEnds(null)).map(({ id, revokedAtMs }) => [id.slice(-1), revokedAtMs]);
      const end = async (which: object) =>
        (await store.endSessions({ ...ALL, ...which }, entry('session.ended'))).length;
      assert.equal(await end({ id: 'ses_0000000000000004' }), 0);
      assert.equal(await end({ person: 'nobody' }), 0);
      assert.deepEqual(await ended(), []);
      assert.equal((await actions()).includes('session.ended'), false);
      assert.equal(await end({ id: ID }), 1);
      assert.equal(await end({ id: ID, nowMs: 9000 }), 0);
      assert.equal(await end({ person: 'ada', nowMs: 400_000 }), 2);
      assert.equal(await end({ nowMs: 500_000 }), 1);
      assert.equal(await end({ account: null, nowMs: 600_000 }), 1);
      assert.deepEqual(await ended(), [
        ['1', 3000],
        ['2', 400_000],
        ['5', 400_000],
        ['3', 500_000],
        ['4', 600_000],
      ]);
      const [byClockAhead] = await store.listSessions({ account: 'store-2', person: null }, null, 1);
      assert.equal(stateOfSession(byClockAhead as Session, 50_000), 'ended');
      const times = (await store.listKeyEnds(null)).map(({ recordedAtMs }) => recordedAtMs);
      assert.equal(new Set(times).size, 5);
      assert.equal((await actions()).filter((action) => action === 'session.ended').length, 4);
      assert.equal((await store.retrieveApiKey('key_0000000000000001'))?.revokedAtMs, null);
    });

    test('that end together can exceed a page of ends, and every instance reads all ends', async () => {
      const count = KEY_ENDS_PAGE + 3;
      const ids = Array.from({ length: count }, (_, at) => `ses_${String(at).padStart(16, '0')}`);
      await create(...ids.map((id) => waitingSession(id)));
      const ended = await store.endSessions({ ...ALL, person: 'ada' }, entry('session.ended'));
      assert.deepEqual(ended.sort(), ids);
      const read = new Set<string>();
      for (let from: number | null = null, isLast = false; !isLast; ) {
        const page = await store.listKeyEnds(from);
        for (const { id } of page) read.add(id);
        from = page.at(-1)?.recordedAtMs ?? null;
        isLast = page.length < KEY_ENDS_PAGE;
      }
      assert.deepEqual([...read].sort(), ids);
    });

    test('are listed newest first in pages, by account, by person in an account, or by person in all accounts, without ordinary keys', async () => {
      await store.createApiKey(apiKey('key_0000000000000001', { createdAtMs: 1500 }), someEntry());
      await create(
        waitingSession('ses_0000000000000001', { createdAtMs: 2000 }),
        waitingSession('ses_0000000000000002', { createdAtMs: 1000 }, { person: 'ben' }),
        waitingSession('ses_0000000000000003', { createdAtMs: 2000 }),
        waitingSession('ses_0000000000000004', { account: 'store-2' }),
      );
      const listed = async (query: SessionQuery | PersonQuery, limit: number) => {
        const found: string[] = [];
        for (let after: SessionPosition | null = null; ; ) {
          const page: Session[] = await store.listSessions(query, after, limit);
          found.push(...page.map(({ id }) => id.slice(-1)));
          if (page.length < limit) return found.join('');
          after = page.at(-1) as Session;
        }
      };
      for (const limit of [1, 2, 100]) {
        assert.equal(await listed({ account: 'store-1', person: null }, limit), '312');
        assert.equal(await listed({ account: 'store-1', person: 'ada' }, limit), '31');
        assert.equal(await listed({ account: 'store-1', person: 'Ada' }, limit), '');
        assert.equal(await listed({ account: null, person: 'ada' }, limit), '314');
      }
      const keys = await store.listApiKeys('store-1', null, 100);
      assert.deepEqual(
        [keys, await store.listApiKeys(null, null, 100)].map((all) => all.map(({ id }) => id)),
        [['key_0000000000000001'], ['key_0000000000000001']],
      );
      const accounts = await store.listAccounts({ after: null, prefix: null }, 10);
      assert.deepEqual(
        accounts.map(({ account }) => account),
        ['store-1'],
      );
    });

    test('that expired before a time are removed in steps, but keys are not; all sessions of an account are ended in steps', async () => {
      await store.createApiKey(apiKey('key_0000000000000001', { expiresAtMs: 10 }), someEntry());
      const ids = Array.from(
        { length: SESSIONS_AT_ONCE + 2 },
        (_, at) => `ses_${String(at).padStart(16, '0')}`,
      );
      await create(
        ...ids.map((id) => waitingSession(id, { expiresAtMs: 5000 })),
        waitingSession('ses_000000000000stay'),
      );
      assert.equal(await store.removeExpiredSessions(5000), 0);
      assert.equal(await store.removeExpiredSessions(5001), SESSIONS_AT_ONCE);
      assert.equal(await store.removeExpiredSessions(5001), 2);
      assert.equal(await store.removeExpiredSessions(5001), 0);
      await create(...ids.map((id) => waitingSession(id, { account: 'store-2' })));
      const others = { ...ALL, account: 'store-2' };
      for (const count of [SESSIONS_AT_ONCE, 2, 0])
        assert.equal((await store.endSessions(others, entry('session.ended'))).length, count);
      const left = await store.listSessions({ account: 'store-1', person: null }, null, 10);
      assert.deepEqual(
        left.map(({ id }) => id),
        ['ses_000000000000stay'],
      );
      assert.ok(await store.retrieveApiKey('key_0000000000000001'));
    });
  });
}
