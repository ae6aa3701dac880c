import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts';

const GUIDE = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const [, HEAD = '', BODY = ''] = /```http\n([\s\S]*?)\n\n([\s\S]*?)\n```/.exec(GUIDE) ?? [];
const [, SECRET = ''] = /`(whsec_[^`]+)`/.exec(GUIDE) ?? [];
const [, PUBLIC_KEY = ''] = /`(whpk_[^`]+)`/.exec(GUIDE) ?? [];
const HEADERS = Object.fromEntries(
  HEAD.split('\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string]),
);

test('the example delivery of the guide has the right signatures', () => {
  const now = () => Number(HEADERS['webhook-timestamp']) * 1000;
  const event = verifyWebhook(BODY, HEADERS, SECRET, { now });
  assert.deepEqual(verifyWebhook(BODY, HEADERS, PUBLIC_KEY, { now }), event);
  assert.throws(() => verifyWebhook(BODY, HEADERS, SECRET), WebhookVerificationError, 'its time');
  assert.equal(event.id, HEADERS['webhook-id']);
  assert.equal(event.data?.id, event.id);
  assert.equal(event.data?.transaction.reference, 'tx_000012');
});
