import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_ENDS_KEPT_MS } from '../../keys/keys.ts';
import { LEASE_MS } from '../../webhooks/webhook.ts';
import { REMOVED_ROW_BY_ROW } from './account-eraser.ts';
import { type EraseOptions, eraseAccount } from './erase-account.ts';

test('rows are removed after every service had time to end access, and the account is opened after every replica had time to follow', async () => {
  const calls: string[] = [];
  let elapsedMs = 0;
  let ends = 0;
  const note = (call: string) => calls.push(`${elapsedMs} ${call}`);
  const options = {
    eraser: {
      close: async () => {
        note('close');
        return 2;
      },
      removeRows: async (table: string) => void note(`remove ${table}`),
      lastKeyEnd: async () => ++ends,
      open: async (_: string, settledEnd: number) => {
        note(`open ${settledEnd}`);
        return settledEnd === 2;
      },
      end: async () => {},
    },
    store: {
      listApiKeys: async () => [
        { id: 'key_1', revokedAtMs: null },
        { id: 'key_2', revokedAtMs: 1 },
      ],
      revokeApiKey: async (id: string) => void note(`revoke ${id}`),
      endSessions: async () => {
        note('end sessions');
        return calls.filter((call) => call.endsWith('end sessions')).length === 1 ? ['ses_1'] : [];
      },
      listWebhooks: async () => [{ id: 'we_1' }],
      deleteWebhook: async (_: string, id: string) => void note(`delete ${id}`),
    },
    stamp: () => ({ id: 'au_1', atMs: 1 }),
    now: () => 0,
    monotonicMs: () => 0,
    replicaLagMs: 2000,
    sleep: async (milliseconds: number) => {
      if (milliseconds >= 1000) elapsedMs += milliseconds;
    },
    onWait: () => {},
    onProgress: () => {},
  };
  assert.equal(await eraseAccount('store-1', options as unknown as EraseOptions), 2);
  const settledMs = Math.max(KEY_ENDS_KEPT_MS, LEASE_MS);
  assert.deepEqual(calls, [
    '0 close',
    '0 revoke key_1',
    '0 end sessions',
    '0 end sessions',
    '0 delete we_1',
    ...REMOVED_ROW_BY_ROW.map((table) => `${settledMs} remove ${table}`),
    `${settledMs + 2000} open 1`,
    `${settledMs + 2000} revoke key_1`,
    `${settledMs + 2000} end sessions`,
    `${settledMs + 2000} delete we_1`,
    `${2 * settledMs + 2000} open 2`,
  ]);
});
