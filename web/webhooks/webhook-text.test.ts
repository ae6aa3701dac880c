import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookEndpoint } from '../../client/src/webhook-endpoint.ts';
import { conditionOf } from './condition.ts';
import { cutUrl, lagText, nameOf } from './webhook-text.ts';

const webhook: WebhookEndpoint = {
  id: 'we_1',
  url: 'https://shop.example:8443/webhooks',
  types: null,
  label: null,
  ordered: false,
  signing: 'v1',
  publicKey: null,
  state: 'enabled',
  disabledReason: null,
  disabledAt: null,
  createdAt: '2026-05-02T09:15:00.000Z',
  acknowledgedSequence: 1000,
  headSequence: 1000,
  failureCount: 0,
  failingSince: null,
};

test('the condition of an endpoint follows from its state, its reason and whether it fails', () => {
  const kind = (fields: Partial<WebhookEndpoint>) => conditionOf({ ...webhook, ...fields });
  assert.equal(kind({}), 'enabled');
  assert.equal(kind({ failureCount: 999 }), 'incomplete');
  assert.equal(kind({ failureCount: 1000 }), 'full');
  assert.equal(kind({ failingSince: webhook.createdAt, failureCount: 1000 }), 'failing');
  const disabled = { state: 'disabled', failingSince: webhook.createdAt } as const;
  assert.equal(kind({ ...disabled, disabledReason: 'failing' }), 'gave-up');
  assert.equal(kind({ ...disabled, disabledReason: 'gone' }), 'gone');
  assert.equal(kind({ ...disabled, disabledReason: 'requested' }), 'requested');
});

test('an endpoint without a label has the name of its host', () => {
  assert.equal(nameOf(webhook), 'shop.example:8443');
  assert.equal(nameOf({ ...webhook, label: 'Shop' }), 'Shop');
  assert.equal(nameOf({ ...webhook, label: ' ' }), 'shop.example:8443');
  assert.equal(nameOf({ ...webhook, url: 'not a URL' }), 'not a URL');
});

test('a URL with more than 96 characters is shown without its middle', () => {
  const fits = `https://shop.example/${'a'.repeat(75)}`;
  assert.equal(fits.length, 96);
  assert.equal(cutUrl(fits), fits);
  const cut = cutUrl(`${fits}b`);
  assert.equal(cut.length, 96);
  assert.match(cut, /^https:\/\/shop\.example\/a+\u2026a+b$/);
});

test('the lag counts the changes from the acknowledged one to the last one', () => {
  const lag = (headSequence: number, state = webhook.state) => lagText({ ...webhook, headSequence, state });
  assert.equal(lag(1000), 'Up to date');
  assert.equal(lagText({ ...webhook, headSequence: 1000, failureCount: 4 }), 'Delivered, except 4 failures');
  assert.equal(lag(1001), '1 change behind');
  assert.equal(lag(13_345, 'disabled'), '12,345 changes waiting');
  assert.equal(lag(900), 'Up to date', 'a restored database has fewer changes');
});
