import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../ledger/changes/change.ts';
import { type DeliveryOutcome, deliveryOutcome, type WebhookFailure } from './webhook.ts';

const change = {
  sequence: 5,
  recordedAtMs: 1000,
  transaction: { status: 'completed' },
} as Change;
const ENDPOINT = { types: null, acknowledgedSequence: 5, createdAtMs: 500, disabled: null };
const FAILURE = { sequence: 5 } as WebhookFailure;

const CASES: [DeliveryOutcome, Partial<Parameters<typeof deliveryOutcome>[0]>, WebhookFailure?][] = [
  ['delivered', {}],
  ['delivered', { types: ['transaction.completed'] }],
  ['waiting', { acknowledgedSequence: 4 }],
  ['stopped', { acknowledgedSequence: 4, disabled: { reason: 'gone', atMs: 900 } }],
  ['delivered', { disabled: { reason: 'gone', atMs: 2000 } }],
  ['not_wanted', { types: ['transaction.pending'], acknowledgedSequence: 4 }],
  ['before_endpoint', { createdAtMs: 1001 }],
  ['failed', {}, FAILURE],
  ['failed', { disabled: { reason: 'failing', atMs: 2000 } }, FAILURE],
];

for (const [outcome, endpoint, failure] of CASES)
  test(`a change is ${outcome} at ${JSON.stringify(endpoint)}${failure ? ', which keeps its failure' : ''}`, () => {
    assert.equal(deliveryOutcome({ ...ENDPOINT, ...endpoint }, change, failure), outcome);
  });
