import type { AccountWatching } from '../../../src/ledger/changes/watched-accounts.ts';
import type { StoreCalls } from '../../../src/store/store.ts';
import type { WebhookStore } from '../../../src/webhooks/webhook.ts';
import type { ModelWebhooks } from './model-webhooks.ts';

export type Call = <Result>(name: keyof StoreCalls, work: () => Result) => Promise<Result>;

/** The calls of a model of webhooks. */
export function webhookCalls(call: Call, webhooks: ModelWebhooks): WebhookStore & AccountWatching {
  return {
    createWebhook: (created, limit) => call('createWebhook', () => webhooks.createWebhook(created, limit)),
    listWebhooks: (account) => call('listWebhooks', () => webhooks.listWebhooks(account)),
    findWebhook: (account, id) => call('findWebhook', () => webhooks.findWebhook(account, id)),
    readWebhookRules: () => call('readWebhookRules', () => webhooks.rules),
    replaceWebhook: (replaced, by) => call('replaceWebhook', () => webhooks.replaceWebhook(replaced, by)),
    deleteWebhook: (account, id) => call('deleteWebhook', () => webhooks.deleteWebhook(account, id)),
    listWebhookFailures: (account, id, after, limit) =>
      call('listWebhookFailures', () => webhooks.listWebhookFailures(account, id, after, limit)),
    retryWebhookFailure: (account, id, sequence, nowMs) =>
      call('retryWebhookFailure', () => webhooks.retryWebhookFailure(account, id, sequence, nowMs)),
    leaseWebhooks: (request) => call('leaseWebhooks', () => webhooks.leaseWebhooks(request)),
    listDeliverable: (part) => call('listDeliverable', () => webhooks.listDeliverable(part)),
    listMovedAccounts: (mark) => call('listMovedAccounts', () => webhooks.listMovedAccounts(mark)),
    watchAccounts: () => call('watchAccounts', () => {}),
    storeProgress: (account, id, version, progress) =>
      call('storeProgress', () => webhooks.storeProgress(account, id, version, progress)),
    disableWebhook: (account, id, version, disabled) =>
      call('disableWebhook', () => webhooks.disableWebhook(account, id, version, disabled)),
  };
}
