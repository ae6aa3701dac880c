import type { TimeZoneChoice } from '../text/time.ts';
import type { Failure } from './failure.ts';

export interface WebhooksScreenProps {
  apiKey: string;
  /** A new number sends the requests again. */
  visit: number;
  zone: TimeZoneChoice;
  onZone(zone: TimeZoneChoice): void;
  /** Reports whether the key has the scope `webhooks`. */
  onWebhooks(has: boolean): void;
  onSignedOut(cause: Failure): void;
}

export interface NoReadScreenProps {
  /** Whether the key has the scope `webhooks`; undefined until it is known. */
  hasWebhooks: boolean | undefined;
}
