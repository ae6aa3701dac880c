import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { generateSecret } from '../../../src/keys/api-key.ts';
import { buildTestApp, type TestApp, testClock, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';
import { storeWith } from '../../rig/store/store-with.ts';

const SESSIONS = '/v1/accounts/store-1/sessions';
const PUBLIC_URL = 'https://payments.example/';
const START = '2026-06-15T12:00:00.000Z';

let app: TestApp;
let operator: TestOperatorApp;

beforeEach(async () => {
  const config = { ...testConfig, publicUrl: PUBLIC_URL };
  app = await buildTestApp({ config, clock: testClock(Date.parse(START)) });
  operator = await buildTestOperatorApp(app.store, app.clock, config);
});

const create = async (body: object = {}, key?: string) => {
  const { status, body: created } = await operator.send(SESSIONS, {
    method: 'POST',
    body: { person: 'ada@shop.example', ...body },
    ...(key !== undefined && { key }),
  });
  assert.equal(status, 201, JSON.stringify(created));
  return created;
};
const exchange = (code: unknown) => app.send('/v1/session', { method: 'POST', body: { code } });
const open = async (body: object = {}, key?: string) => {
  const created = await create(body, key);
  const { status, body: opened } = await exchange(created.code);
  assert.equal(status, 201);
  return { ...created, key: opened.key as string, opened };
};
const statusOf = async (key: string) => (await app.send('/v1/transactions', { key })).status;
const states = async () =>
  (await operator.send(SESSIONS, { method: 'GET' })).body.data.map(({ state }: { state: string }) => state);

test('201: a session has what was sent, or the defaults, and a link that only this response has', async () => {
  const { id, code, ...created } = await create();
  assert.match(id, /^ses_[0-9A-Za-z]{16}$/);
  assert.match(code, /^ts_code_[0-9A-Za-z]{36}$/);
  assert.deepEqual(created, {
    account: 'store-1',
    person: 'ada@shop.example',
    scopes: ['read'],
    reason: null,
    createdAt: START,
    expiresAt: '2026-06-15T20:00:00.000Z',
    codeExpiresAt: '2026-06-15T12:01:00.000Z',
    url: `${PUBLIC_URL}#session=${code}`,
  });
  const other = await create({ scopes: ['webhooks', 'read'], expiresIn: 60, reason: 'ticket 1014' });
  assert.deepEqual(
    [other.scopes, other.expiresAt, other.reason],
    [['read', 'webhooks'], '2026-06-15T12:01:00.000Z', 'ticket 1014'],
  );
  const listed = await operator.send(SESSIONS, { method: 'GET' });
  assert.ok(!listed.text.includes(code) && !listed.text.includes(other.code));
});

test('201: without PUBLIC_URL, a session has a code and no link', async () => {
  const plain = await buildTestOperatorApp(app.store, app.clock);
  const { body } = await plain.send(SESSIONS, { method: 'POST', body: { person: 'ada' } });
  assert.equal(body.url, null);
});

test('201: the key of a session works as one with its scopes, until the last millisecond', async () => {
  const { id, key, opened } = await open({ expiresIn: 3600 });
  assert.match(key, /^ts_live_[0-9A-Za-z]{36}$/);
  assert.deepEqual(opened, {
    key,
    account: 'store-1',
    person: 'ada@shop.example',
    scopes: ['read'],
    expiresAt: '2026-06-15T13:00:00.000Z',
  });
  const { body } = await app.send('/v1/key', { key });
  assert.deepEqual(body, {
    account: 'store-1',
    id,
    kind: 'session',
    person: 'ada@shop.example',
    scopes: ['read'],
    expiresAt: '2026-06-15T13:00:00.000Z',
  });
  const refused = await app.send('/v1/webhooks', { key });
  assert.equal(refused.status, 403);
  assert.match(refused.body.detail, /This session has read\. The platform can open another one\.$/);
  await app.keyCache.refresh();
  app.clock.advance(3_599_999);
  await app.keyCache.refresh();
  assert.equal(await statusOf(key), 200);
  app.clock.advance(1);
  assert.equal(await statusOf(key), 401);
  assert.deepEqual(await states(), ['expired']);
});

test('401: a code that is wrong, used or late, or whose session has ended, gets one response', async () => {
  const used = await open();
  const ended = await create();
  await operator.send(`${SESSIONS}/${ended.id}`, { method: 'DELETE' });
  const late = await create();
  app.clock.advance(60_000);
  const waiting = await create();
  const codes = {
    used: used.code,
    ended: ended.code,
    late: late.code,
    unknown: generateSecret(randomBytes, 'code').text,
    misspelt: waiting.code.slice(0, -1) + (waiting.code.endsWith('0') ? '1' : '0'),
    'a key': used.key,
    'of another form': 'x',
    empty: '',
  };
  const answers = new Set<string>();
  for (const [name, code] of Object.entries(codes)) {
    const { status, headers, body } = await exchange(code);
    assert.deepEqual([status, body.code], [401, 'invalid_code'], name);
    answers.add(JSON.stringify([{ ...body, requestId: '' }, headers['www-authenticate']]));
  }
  assert.equal(answers.size, 1);
  assert.equal((await exchange(waiting.code)).status, 201);
});

test('401: a code works until its last millisecond', async () => {
  const { code } = await create();
  app.clock.advance(59_999);
  assert.equal((await exchange(code)).status, 201);
});

test('201: of many exchanges that all find the code unused, one succeeds', async () => {
  const { code } = await create();
  const count = 10;
  let finds = 0;
  const allHaveFound = Promise.withResolvers<void>();
  const store = storeWith(app.store, {
    findApiKey: async (hash) => {
      const found = await app.store.findApiKey(hash);
      if (++finds === count) allHaveFound.resolve();
      await allHaveFound.promise;
      return found;
    },
  });
  const meeting = await buildTestApp({ store, clock: app.clock });
  const answers = await Promise.all(
    Array.from({ length: count }, () => meeting.send('/v1/session', { method: 'POST', body: { code } })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...new Array(count - 1).fill(401)]);
});

test('401: ten thousand forged codes and keys open nothing, and change nothing', async () => {
  const { code, key } = await open();
  const waiting = await create();
  const before = [await states(), (await app.store.listAudit(null, null, 100)).length];
  const forge = (text: string, kind: 'code' | 'session', at: number) => {
    if (at % 3 === 0) return generateSecret(randomBytes, kind).text;
    const place = 8 + (at % 36);
    const other = String.fromCharCode(97 + (at % 26));
    return text[place] === other ? `${text}x` : text.slice(0, place) + other + text.slice(place + 1);
  };
  for (let at = 0; at < 5000; at++) {
    const forged = forge(at % 2 === 0 ? waiting.code : code, 'code', at);
    const opened = await app.server.inject({ method: 'POST', url: '/v1/session', payload: { code: forged } });
    assert.equal(opened.statusCode, 401, forged);
    const authorization = `Bearer ${at % 2 === 0 ? forge(key, 'session', at) : forged}`;
    const read = await app.server.inject({ url: '/v1/key', headers: { authorization } });
    assert.equal(read.statusCode, 401, authorization);
  }
  assert.deepEqual([await states(), (await app.store.listAudit(null, null, 100)).length], before);
  assert.equal((await exchange(waiting.code)).status, 201);
});

test('429: refused codes count as failed authentications of their address, and a used code does not', async () => {
  const limited = await buildTestApp({
    store: app.store,
    clock: app.clock,
    config: { ...testConfig, failedAuthenticationRateLimit: { perSecond: 1, burst: 2 } },
  });
  const send = (code: string) => limited.send('/v1/session', { method: 'POST', body: { code } });
  for (let count = 0; count < 3; count++) assert.equal((await send((await create()).code)).status, 201);
  const forged = generateSecret(randomBytes, 'code').text;
  assert.deepEqual(
    [(await send(forged)).status, (await send('x')).status, (await send(forged)).status],
    [401, 401, 429],
  );
  assert.equal((await limited.send('/v1/key', { key: 'tk_live_none' })).status, 429);
  const { code } = await create();
  assert.equal((await send(code)).status, 429);
  limited.clock.advance(1000);
  assert.equal((await send(code)).status, 201);
});

test('429: each session has a rate limit of its own, apart from the keys of its account', async () => {
  const limited = await buildTestApp({
    store: app.store,
    clock: app.clock,
    config: { ...testConfig, rateLimit: { perSecond: 1, burst: 1 } },
  });
  const [ada, ben] = [await open(), await open({ person: 'ben' })];
  const key = await app.makeKey('store-1');
  const sent = [ada.key, ada.key, ben.key, key];
  const statuses = [];
  for (const one of sent) statuses.push((await limited.send('/v1/transactions', { key: one })).status);
  assert.deepEqual(statuses, [200, 429, 200, 200]);
});

test('204: an ended session is refused, its other instance reads the end, and ending it again changes nothing', async () => {
  const other = await buildTestApp({ store: app.store, clock: app.clock });
  const { id, key } = await open();
  for (const instance of [app, other]) await instance.keyCache.refresh();
  assert.equal((await other.send('/v1/key', { key })).status, 200);
  assert.equal((await operator.send(`${SESSIONS}/${id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await operator.send(`${SESSIONS}/${id}`, { method: 'DELETE' })).status, 204);
  for (const instance of [app, other]) {
    await instance.keyCache.refresh();
    assert.equal((await instance.send('/v1/key', { key })).status, 401);
  }
  assert.deepEqual(await states(), ['ended']);
  const { data } = { data: await app.store.listAudit('store-1', null, 10) };
  assert.equal(data.filter(({ action }) => action === 'session.ended').length, 1);
});

test('204: an instance whose clock is ahead ends sessions for all, and Sessions-Ended is their number; without a grace, a key too', async () => {
  const ahead = await buildTestOperatorApp(app.store, testClock(Date.parse(START) + 86_400_000));
  const [one, two, three] = [await open(), await open({ person: 'ada+till@shop.example' }), await open()];
  const { id, key } = (await operator.send('/v1/accounts/store-1/keys', { method: 'POST', body: {} })).body;
  const endAll = async (person: string) => {
    const { status, headers } = await ahead.send(`${SESSIONS}?person=${person}`, { method: 'DELETE' });
    return [status, headers['sessions-ended']];
  };
  assert.equal((await ahead.send(`${SESSIONS}/${three.id}`, { method: 'DELETE' })).status, 204);
  assert.deepEqual(await endAll('ada@shop.example'), [204, '1']);
  assert.deepEqual(await endAll('ada@shop.example'), [204, '0']);
  // A plus sign in a query is a space.
  assert.deepEqual(await endAll('ada+till@shop.example'), [204, '0']);
  assert.deepEqual(await endAll('ada%2Btill@shop.example'), [204, '1']);
  const rolled = await ahead.send(`/v1/accounts/store-1/keys/${id}/roll`, {
    method: 'POST',
    body: { grace: '0' },
  });
  assert.equal(rolled.status, 201);
  await app.keyCache.refresh();
  for (const ended of [one.key, two.key, three.key, key]) assert.equal(await statusOf(ended), 401);
  assert.deepEqual(await states(), ['ended', 'ended', 'ended']);
});

test('404: a session of another account, and the id of a key, do not exist', async () => {
  const { id, key } = await open();
  const elsewhere = `/v1/accounts/store-2/sessions/${id}`;
  assert.equal((await operator.send(elsewhere, { method: 'DELETE' })).status, 404);
  const made = await operator.send('/v1/accounts/store-1/keys', { method: 'POST', body: {} });
  assert.equal((await operator.send(`${SESSIONS}/${made.body.id}`, { method: 'DELETE' })).status, 404);
  assert.equal((await operator.send(`/v1/accounts/store-1/keys/${id}`, { method: 'DELETE' })).status, 404);
  assert.equal(await statusOf(key), 200);
});

test('400: without a person, no session ends', async () => {
  const { key } = await open();
  for (const query of ['', '?person=', `?person=${'x'.repeat(129)}`]) {
    const { status, body } = await operator.send(SESSIONS + query, { method: 'DELETE' });
    assert.deepEqual([status, body.code], [400, 'invalid_person'], query);
  }
  const twice = await operator.send(`${SESSIONS}?person=a&person=b`, { method: 'DELETE' });
  assert.equal(twice.body.code, 'duplicate_parameter');
  assert.equal(await statusOf(key), 200);
});

test('401: a session ends with the operator key that made it: revoked, rolled or expired, also in the cache', async () => {
  const expiresAtMs = app.clock.now() + 600_000;
  const maker = await operator.makeKey({ scopes: ['sessions'], expiresAtMs });
  const bounded = await open({}, maker);
  assert.equal(bounded.expiresAt, new Date(expiresAtMs).toISOString());
  const id = (await app.store.retrieveApiKey(bounded.id))?.session?.madeBy as string;
  await app.keyCache.refresh();
  assert.equal(await statusOf(bounded.key), 200);
  const roll = { account: '*', id, created: null, untilMs: app.clock.now() + 60_000, nowMs: app.clock.now() };
  const [entry] = await app.store.listAudit(null, null, 1);
  assert.ok(entry);
  await app.store.rollApiKey(roll, { ...entry, id: 'au_0000000000000001' });
  await app.keyCache.refresh();
  const { body } = await app.send('/v1/key', { key: bounded.key });
  assert.equal(body.expiresAt, new Date(roll.untilMs).toISOString());
  const waiting = await create({}, maker);
  assert.equal(waiting.codeExpiresAt, new Date(roll.untilMs).toISOString());
  await app.store.revokeApiKey(id, app.clock.now(), { ...entry, id: 'au_0000000000000002' });
  await app.keyCache.refresh();
  assert.equal(await statusOf(bounded.key), 401);
  assert.equal((await exchange(waiting.code)).status, 401);
  assert.deepEqual(await states(), ['ended', 'ended']);
});

test('200: sessions are listed in pages, of one person too, and a cursor is for its person', async () => {
  for (let count = 0; count < 205; count++) {
    await create({ person: count % 2 === 0 ? 'ada' : 'ben' });
    app.clock.advance(1);
  }
  const read = (query: string) => operator.send(SESSIONS + query, { method: 'GET' });
  const first = await read('?person=ada');
  assert.deepEqual([first.body.data.length, first.body.hasMore], [100, true]);
  const [, next = ''] = /^<([^>]+)>/.exec(first.headers['link'] ?? '') ?? [];
  const last = await operator.send(next, { method: 'GET' });
  assert.deepEqual([last.body.data.length, last.body.hasMore], [3, false]);
  const people = [...first.body.data, ...last.body.data].map(({ person }: { person: string }) => person);
  assert.deepEqual([people.length, new Set(people)], [103, new Set(['ada'])]);
  const { nextCursor } = first.body;
  for (const query of [`?cursor=${nextCursor}`, `?person=ben&cursor=${nextCursor}`])
    assert.equal((await read(query)).body.code, 'cursor_malformed');
});

test('the audit trail has who opened and ended which session, and the log neither person, reason, code nor key', async () => {
  const { id, code, key } = await open({ reason: 'ticket 1014' });
  await app.send('/v1/transactions', { key });
  await app.send('/v1/session', { method: 'DELETE', key });
  await exchange(code);
  const listed = await app.store.listAudit('store-1', null, 10);
  const entries = ['session.created', 'session.opened', 'session.ended'].flatMap((one) =>
    listed.filter(({ action }) => action === one),
  );
  const [maker] = (await app.store.listApiKeys('*', null, 1)).map((one) => one.id);
  const look = { person: 'ada@shop.example', reason: 'ticket 1014', madeBy: maker };
  assert.deepEqual(
    entries.map(({ action, subject, detail, actor }) => ({ action, subject, detail, actor })),
    [
      {
        action: 'session.created',
        subject: id,
        detail: { ...look, scopes: ['read'], expiresAt: '2026-06-15T20:00:00.000Z' },
        actor: maker,
      },
      { action: 'session.opened', subject: id, detail: look, actor: id },
      { action: 'session.ended', subject: id, detail: look, actor: id },
    ],
  );
  const lines = [...app.logged, ...operator.logged];
  for (const secret of ['ada@', 'ticket', code, key, code.slice(8, 20), key.slice(8, 20)])
    assert.ok(!lines.some((line) => line.includes(secret)), `the log has ${secret}`);
  const ofSession = app.logged.map((line) => JSON.parse(line)).filter(({ keyId }) => keyId === id);
  assert.deepEqual(
    ofSession.map(({ method, status, account }) => [method, status, account]),
    [
      ['POST', 201, 'store-1'],
      ['GET', 200, 'store-1'],
      ['DELETE', 204, 'store-1'],
    ],
  );
});
