import assert from 'node:assert/strict';
import { createHmac, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import type { Change } from '../ledger/changes/change.ts';
import { NO_OPTIONAL_FIELDS } from '../ledger/transaction.ts';
import {
  changeMessage,
  newWebhookSecret,
  publicKeyOf,
  shownSecretOf,
  signedHeaders,
} from './webhook-message.ts';

const CHANGE: Change = {
  sequence: 7,
  nonce: 1,
  previousStatus: 'pending',
  recordedAtMs: Date.parse('2026-03-31T09:30:06.120Z'),
  transaction: {
    reference: 'pay_1',
    merchantReference: null,
    status: 'completed',
    amountMinor: 1250,
    currencyCode: 'EUR',
    paidAtMs: Date.parse('2026-03-31T09:30:00Z'),
    createdAtMs: Date.parse('2026-03-30T09:30:00Z'),
    ...NO_OPTIONAL_FIELDS,
  },
};

const secretOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;

test('the body has the type, the time of the recording, and the change as the feed shows it', () => {
  const { id, body } = changeMessage('shop-1', CHANGE);
  assert.equal(id, 'chg_33fKRfp854BcH-UKdFCrn7');
  assert.deepEqual(JSON.parse(body), {
    type: 'transaction.completed',
    timestamp: '2026-03-31T09:30:06.120Z',
    data: {
      sequence: 7,
      id: 'chg_33fKRfp854BcH-UKdFCrn7',
      type: 'transaction.completed',
      previousStatus: 'pending',
      recordedAt: '2026-03-31T09:30:06.120Z',
      transaction: {
        reference: 'pay_1',
        merchantReference: null,
        status: 'completed',
        amount: '12.50',
        currencyCode: 'EUR',
        paidAt: '2026-03-31T09:30:00.000Z',
        createdAt: '2026-03-30T09:30:00.000Z',
      },
    },
  });
});

test('each valid secret signs the id, the time in seconds and the body; an expired one does not', () => {
  const message = { id: 'msg_1', body: '{"a":1}' };
  const nowMs = Date.parse('2026-03-31T09:30:06.500Z');
  const seconds = '1774949406';
  const expected = (text: string) =>
    `v1,${createHmac('sha256', text).update(`msg_1.${seconds}.{"a":1}`).digest('base64')}`;
  const endpoint = {
    secret: secretOf('new'),
    previousSecret: { secret: secretOf('old'), untilMs: nowMs + 1 },
  };
  const headers = signedHeaders(message, endpoint, nowMs);
  assert.equal(headers['webhook-id'], 'msg_1');
  assert.equal(headers['webhook-timestamp'], seconds);
  assert.equal(headers['webhook-signature'], `${expected('new')} ${expected('old')}`);
  assert.equal(signedHeaders(message, endpoint, nowMs + 1)['webhook-signature'], expected('new'));
  const unrotated = { ...endpoint, previousSecret: null };
  assert.equal(signedHeaders(message, unrotated, nowMs)['webhook-signature'], expected('new'));
});

test('with v1a, deliveries are verified by the public keys alone, and nobody is shown the secret', () => {
  // The first test of RFC 8032, 7.1.
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const known = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
  const [secret, old] = [
    newWebhookSecret('v1a', () => seed),
    newWebhookSecret('v1a', () => Buffer.alloc(32, 7)),
  ];
  assert.equal(secret, `whsk_${seed.toString('base64')}`);
  assert.equal(publicKeyOf(secret), `whpk_${known.toString('base64')}`);
  assert.deepEqual(
    [shownSecretOf(secret), publicKeyOf(secretOf('a')), shownSecretOf(secretOf('a'))],
    [null, null, secretOf('a')],
  );
  const nowMs = 5000;
  const endpoint = { secret, previousSecret: { secret: old, untilMs: nowMs + 1 } };
  const signatures = (atMs: number) =>
    String(signedHeaders({ id: 'msg_1', body: '{}' }, endpoint, atMs)['webhook-signature']).split(' ');
  const isSignedBy = (signature: string, of: string) => {
    const x = Buffer.from(publicKeyOf(of)?.slice('whpk_'.length) ?? '', 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const [version, base64 = ''] = signature.split(',');
    return version === 'v1a' && verify(null, Buffer.from('msg_1.5.{}'), key, Buffer.from(base64, 'base64'));
  };
  const both = signatures(nowMs);
  assert.deepEqual(
    both.map((one) => [isSignedBy(one, secret), isSignedBy(one, old)]),
    [
      [true, false],
      [false, true],
    ],
  );
  assert.deepEqual(signatures(nowMs + 1), both.slice(0, 1));
});
