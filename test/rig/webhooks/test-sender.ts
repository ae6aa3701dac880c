import assert from 'node:assert/strict';
import { createSender, type SenderOptions } from '../../../src/webhooks/network/sender.ts';
import type { Attempt } from '../../../src/webhooks/send.ts';

export const DELIVERED = { status: 204, retryAfterMs: null };

export function testSender(options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    networks: ['127.0.0.0/8', '::1'],
    allowsHttp: true,
    now: Date.now,
    resolveName: async (name) => assert.fail(`${name} was looked up`),
    ...options,
  });
  const post = (url: string, attempt: Partial<Attempt> = {}) =>
    sender.send({ url, headers: {}, body: '{}', timeoutMs: 60_000, ...attempt });
  return { ...sender, post, [Symbol.dispose]: sender.close };
}

export async function postOnce(url: string, options?: Partial<SenderOptions>, attempt?: Partial<Attempt>) {
  using sender = testSender(options);
  return await sender.post(url, attempt);
}
