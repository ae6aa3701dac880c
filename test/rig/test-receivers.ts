import type { WebhookSending } from '../../src/app.ts';
import type { Attempt, SendResult } from '../../src/core/webhooks/send.ts';

export interface TestReceivers extends WebhookSending {
  /** Every attempt. */
  sent: Attempt[];
  /** The answer of every receiver. */
  answer: (attempt: Attempt) => Promise<SendResult>;
}

/** Receivers that answer 204 unless a test sets another answer. */
export function testReceivers(): TestReceivers {
  const receivers: TestReceivers = {
    sent: [],
    answer: async () => ({ status: 204, retryAfterMs: null }),
    send: (attempt) => {
      receivers.sent.push(attempt);
      return receivers.answer(attempt);
    },
    explainUrl: (text) => (text.startsWith('https://') ? undefined : 'must begin with https://'),
  };
  return receivers;
}
