import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { SAMPLE } from '../../test/rig/data/transactions.ts';
import { changeMessage, signedHeaders } from './webhook-message.ts';

const secretOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;

test('the id of a message is that of its change, and its timestamp is the time of the recording', () => {
  const recordedAtMs = Date.parse('2026-03-31T09:30:06.120Z');
  const change = { sequence: 7, nonce: 1, previousStatus: null, recordedAtMs, transaction: SAMPLE };
  const { id, body } = changeMessage('shop-1', change);
  assert.equal(id, 'chg_33fKRfp854BcH-UKdFCrn7');
  assert.equal(JSON.parse(body).timestamp, '2026-03-31T09:30:06.120Z');
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
