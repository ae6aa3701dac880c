import type { TimeZoneChoice } from '../text/time.ts';
import type { Api } from './api.ts';
import type { Failure } from './failure.ts';

export interface SearchScreenProps {
  api: Api;
  account: string;
  text: string;
  /** A new number sends the requests again. */
  visit: number;
  zone: TimeZoneChoice;
  onZone(zone: TimeZoneChoice): void;
  onFailure(failure: Failure): void;
}
