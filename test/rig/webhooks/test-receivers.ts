import type { WebhookSending } from '../../../src/webhooks/http/operations.ts';
import { createSender } from '../../../src/webhooks/network/sender.ts';
import type { Attempt, SendResult } from '../../../src/webhooks/send.ts';

const { explainUrl } = createSender({ networks: [], allowsHttp: false, now: Date.now });

export interface TestReceivers extends WebhookSending {
  sent: Attempt[];
  answer: (attempt: Attempt) => Promise<SendResult>;
}

export function testReceivers(): TestReceivers {
  const receivers: TestReceivers = {
    sent: [],
    answer: async () => ({ status: 204, retryAfterMs: null }),
    send: (attempt) => {
      receivers.sent.push(attempt);
      return receivers.answer(attempt);
    },
    explainUrl,
  };
  return receivers;
}
