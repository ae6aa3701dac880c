import type { Config } from '../config/settings.ts';
import { createSender, type Sender } from '../webhooks/network/sender.ts';

/** Sends webhooks, and checks their URLs, as the settings allow. */
export function webhookSender({
  webhookNetworks,
  webhookHttp,
}: Pick<Config, 'webhookNetworks' | 'webhookHttp'>): Sender {
  return createSender({ networks: webhookNetworks, allowsHttp: webhookHttp === 'true', now: Date.now });
}
