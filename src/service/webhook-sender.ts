import type { Config } from '../config/settings.ts';
import { createSender, type Sender } from '../webhooks/network/sender.ts';

/** What decides which receivers can be reached, and how. */
type WebhookSettings = Pick<Config, 'webhookNetworks' | 'webhookHttp'> & {
  secrets: Pick<Config['secrets'], 'webhookProxy'>;
};

/** Sends webhooks, and checks their URLs, as the settings allow. */
export function webhookSender({ webhookNetworks, webhookHttp, secrets }: WebhookSettings): Sender {
  return createSender({
    networks: webhookNetworks,
    allowsHttp: webhookHttp === 'true',
    proxy: secrets.webhookProxy,
    now: Date.now,
  });
}
