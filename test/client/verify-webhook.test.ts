import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  ArgumentError,
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
} from '../../client/src/index.ts';
import { fc } from '../rig/run/properties.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 6, 0, 0, 500);
const now = () => NOW_MS;
const SECONDS = Math.floor(NOW_MS / 1000);
const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [SECRET, OTHER] = [secretOf(1), secretOf(2)] as const;

const TRANSACTION = {
  reference: 'r1',
  merchantReference: null,
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  createdAt: '2026-11-22T05:59:00.000Z',
  paidAt: '2026-11-22T05:59:30.000Z',
};
const CHANGE = {
  sequence: 7,
  id: 'msg_7',
  type: 'transaction.completed',
  previousStatus: 'pending',
  recordedAt: '2026-11-22T05:59:59.000Z',
  transaction: TRANSACTION,
};
const EVENT = { type: CHANGE.type, timestamp: CHANGE.recordedAt, data: CHANGE };
const BODY = JSON.stringify(EVENT);

function signed(body: string, { id = 'msg_1', seconds = SECONDS, secrets = [SECRET] } = {}) {
  const at = new Date(seconds * 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

function refused(call: () => unknown, message: RegExp): void {
  assert.throws(call, (error) => {
    assert.ok(error instanceof WebhookVerificationError, String(error));
    assert.equal(error.code, 'webhook_not_verified');
    assert.equal(error.retryable, false);
    assert.match(error.message, message);
    return true;
  });
}

test('a delivery, as text or bytes, verifies to its event and id', () => {
  const expected = { id: 'msg_1', ...EVENT };
  const bytes = new TextEncoder().encode(BODY);
  for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY), Buffer.from(`x${BODY}`).subarray(1)])
    assert.deepEqual(verifyWebhook(body, signed(BODY), SECRET, { now }), expected);
});

test('a test event and an event of a later version have no change', () => {
  for (const type of ['webhook.test', 'payout.paid']) {
    const body = JSON.stringify({ type, timestamp: EVENT.timestamp, data: { anything: [1] } });
    assert.deepEqual(verifyWebhook(body, signed(body), SECRET, { now }), {
      id: 'msg_1',
      type,
      timestamp: EVENT.timestamp,
      data: null,
    });
  }
});

test('headers can be those of fetch or of node:http, with names in any case', () => {
  const headers = signed(BODY);
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  for (const given of [headers, upper, lists, new Headers(headers), { ...headers, get: undefined }])
    assert.equal(verifyWebhook(BODY, given, SECRET, { now }).id, 'msg_1');
});

test('without one of the headers, a request is refused', () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    for (const value of [undefined, '', []])
      refused(
        () => verifyWebhook(BODY, { ...signed(BODY), [name]: value }, SECRET, { now }),
        new RegExp(`^The request has no ${name} header`),
      );
    const headers = new Headers(signed(BODY));
    headers.delete(name);
    refused(() => verifyWebhook(BODY, headers, SECRET, { now }), new RegExp(`no ${name} header`));
  }
});

test('a request is accepted up to five minutes from its signature, and not a second more', () => {
  const at = (age: number) =>
    verifyWebhook(BODY, signed(BODY, { seconds: SECONDS - age }), SECRET, { now }).id;
  for (const age of [-300, -1, 0, 1, 300]) assert.equal(at(age), 'msg_1');
  refused(() => at(301), /^The request was signed 301 s ago, and at most 300 s are accepted/);
  refused(() => at(-301), /^The request was signed 301 s in the future/);
  for (const text of ['soon', '-1', '1.5', '1e9', ' 1', '999999999999'])
    refused(
      () => verifyWebhook(BODY, { ...signed(BODY), 'webhook-timestamp': text }, SECRET, { now }),
      /webhook-timestamp header is not a number of seconds/,
    );
});

test('one signature by one of the secrets is enough, in any order, as during a rotation', () => {
  const both = signed(BODY, { secrets: [OTHER, SECRET] });
  for (const secrets of [SECRET, OTHER, [SECRET], [OTHER, SECRET], [secretOf(3), SECRET]])
    assert.equal(verifyWebhook(BODY, both, secrets, { now }).id, 'msg_1');
  assert.equal(verifyWebhook(BODY, signed(BODY), [OTHER, SECRET], { now }).id, 'msg_1');
  refused(() => verifyWebhook(BODY, both, secretOf(3), { now }), /^No signature matches/);
});

test('with v1a, the public key of an endpoint verifies, alone or beside others', () => {
  const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const publicOf = ({ publicKey }: typeof own) =>
    `whpk_${Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')}`;
  const signatureOf = ({ privateKey }: typeof own, body = BODY) =>
    `v1a,${sign(null, Buffer.from(`msg_1.${SECONDS}.${body}`), privateKey).toString('base64')}`;
  const withSignatures = (...signatures: string[]) => ({
    ...signed(BODY),
    'webhook-signature': signatures.join(' '),
  });
  const v1 = signed(BODY)['webhook-signature'];
  for (const secrets of [publicOf(own), [publicOf(other), publicOf(own)], [SECRET, publicOf(own)]])
    for (const signatures of [
      [signatureOf(own)],
      [signatureOf(other), signatureOf(own)],
      [v1, signatureOf(own)],
    ])
      assert.equal(verifyWebhook(BODY, withSignatures(...signatures), secrets, { now }).id, 'msg_1');
  const verify =
    (...signatures: string[]) =>
    () =>
      verifyWebhook(BODY, withSignatures(...signatures), publicOf(own), { now });
  refused(verify(signatureOf(other)), /^No signature matches/);
  refused(verify(signatureOf(own, `${BODY} `)), /^No signature matches/);
  const bytes = Buffer.from(publicOf(own).slice(5), 'base64');
  const forged = createHmac('sha256', bytes).update(`msg_1.${SECONDS}.${BODY}`).digest('base64');
  for (const signature of [v1, `v1,${forged}`, `v1a,${forged}`, signatureOf(own).replace('v1a', 'v1')])
    refused(verify(signature), /^No signature matches/);
  assert.throws(() => verifyWebhook(BODY, signed(BODY), 'whpk_AAAA', { now }), ArgumentError);
  assert.throws(() => signWebhook(BODY, publicOf(own)), ArgumentError);
});

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const key = fc
  .uint8Array({ minLength: 1, maxLength: 100, size: 'max' })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
const secret = key.map((base64) => `whsec_${base64}`);
const id = fc.string({ minLength: 1, unit: fc.constantFrom(...'msg_0123.-abcXYZ') });

test('what the library of Standard Webhooks signs is accepted, whatever the body, id, time and secret', () => {
  fc.assert(
    fc.property(text, id, secret, fc.integer({ min: -300, max: 300 }), (note, messageId, ownSecret, age) => {
      const body = JSON.stringify({ type: 'webhook.test', timestamp: note, data: { note } });
      const headers = signed(body, { id: messageId, seconds: SECONDS - age, secrets: [ownSecret] });
      const event = verifyWebhook(body, headers, ownSecret, { now });
      assert.deepEqual(event, { id: messageId, type: 'webhook.test', timestamp: note, data: null });
    }),
  );
});

test('a request with one character changed is refused, by the library too', () => {
  const changes = fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature');
  fc.assert(
    fc.property(changes, fc.nat(), fc.constantFrom(...'0aZ+'), (place, position, letter) => {
      const seconds = Math.floor(Date.now() / 1000);
      const request: Record<string, string> = { ...signed(BODY, { seconds }), body: BODY };
      const before = request[place] ?? '';
      const index = position % before.length;
      const changed = before.slice(0, index) + letter + before.slice(index + 1);
      fc.pre(changed !== before);
      const { body = '', ...headers } = { ...request, [place]: changed };
      refused(() => verifyWebhook(body, headers, SECRET), /./);
      assert.throws(() => new Webhook(SECRET).verify(body, headers));
    }),
  );
});

test('a body that was parsed and written again is refused, and so is a parsed one', () => {
  const pretty = JSON.stringify(EVENT, null, 2);
  refused(() => verifyWebhook(BODY, signed(pretty), SECRET, { now }), /byte for byte/);
  const parsed = JSON.parse(BODY);
  assert.throws(
    () => verifyWebhook(parsed, signed(BODY), SECRET, { now }),
    (error) => error instanceof ArgumentError && /before JSON is parsed/.test(error.message),
  );
});

test('a signed body that is not an event is refused', () => {
  const bodies = ['', 'null', '[]', '"text"', '{', '{}', '{"type":1,"timestamp":"a"}'].concat([
    JSON.stringify({ ...EVENT, data: {} }),
    JSON.stringify({ ...EVENT, data: { ...CHANGE, sequence: '7' } }),
    JSON.stringify({ ...EVENT, timestamp: undefined }),
  ]);
  for (const body of bodies)
    refused(() => verifyWebhook(body, signed(body), SECRET, { now }), /is not an event of this service/);
});

test('an impossible secret causes its own error, which does not contain the secret', () => {
  const base64 = SECRET.slice(6);
  for (const wrong of [
    'hunter2',
    base64,
    `whsec_${base64}!`,
    'whsec_',
    'whsec_A',
    ` ${SECRET}`,
    `whsec_${base64}\n`,
  ])
    for (const secrets of [wrong, [SECRET, wrong]])
      assert.throws(
        () => verifyWebhook(BODY, signed(BODY), secrets, { now }),
        (error) => {
          assert.ok(error instanceof ArgumentError);
          assert.equal(
            error.message,
            'A secret of an endpoint is whsec_ and base64, and a public key whpk_ and base64 of 32 bytes.',
          );
          return true;
        },
      );
  for (const none of [[], undefined, null])
    assert.throws(() => verifyWebhook(BODY, signed(BODY), none as never, { now }), ArgumentError);
});

test('a delivery signed for a test of a receiver is accepted, by its headers alone, and narrowed by its type', () => {
  const headers = signWebhook(BODY, SECRET, { id: 'msg_7', now });
  assert.deepEqual(headers, { 'content-type': 'application/json', ...signed(BODY, { id: 'msg_7' }) });
  const event = verifyWebhook(BODY, headers, SECRET, { now });
  assert.ok(event.type === 'transaction.completed');
  assert.equal(event.data.transaction.reference, 'r1');
  assert.throws(() => verifyWebhook(`${BODY} `, headers, SECRET, { now }), WebhookVerificationError);
  assert.throws(
    () => verifyWebhook(BODY, signWebhook(BODY, OTHER, { now }), SECRET, { now }),
    /No signature/,
  );
  assert.throws(() => signWebhook(BODY, 'a secret'), ArgumentError);
});

const GUIDE = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const [, HEAD = '', GUIDE_BODY = ''] = /```http\n([\s\S]*?)\n\n([\s\S]*?)\n```/.exec(GUIDE) ?? [];
const [, GUIDE_SECRET = ''] = /`(whsec_[^`]+)`/.exec(GUIDE) ?? [];
const [, PUBLIC_KEY = ''] = /`(whpk_[^`]+)`/.exec(GUIDE) ?? [];
const HEADERS = Object.fromEntries(
  HEAD.split('\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string]),
);

test('the example delivery of the guide has the right signatures', () => {
  const now = () => Number(HEADERS['webhook-timestamp']) * 1000;
  const event = verifyWebhook(GUIDE_BODY, HEADERS, GUIDE_SECRET, { now });
  assert.deepEqual(verifyWebhook(GUIDE_BODY, HEADERS, PUBLIC_KEY, { now }), event);
  assert.throws(() => verifyWebhook(GUIDE_BODY, HEADERS, GUIDE_SECRET), WebhookVerificationError, 'its time');
  assert.equal(event.id, HEADERS['webhook-id']);
  assert.equal(event.data?.id, event.id);
  assert.equal(event.data?.transaction.reference, 'tx_000012');
});
