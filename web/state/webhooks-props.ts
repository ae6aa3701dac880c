import type { TimeZoneChoice } from '../text/time.ts';
import type { Failure } from './failure.ts';

export interface WebhooksScreenProps {
  apiKey: string;
  /** A new number sends the requests again. */
  visit: number;
  zone: TimeZoneChoice;
  onZone(zone: TimeZoneChoice): void;
  onSignedOut(cause: Failure): void;
}

export interface NoReadScreenProps {
  hasWebhooks: boolean;
}
