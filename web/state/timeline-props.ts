import type { TimeZoneChoice } from '../text/time.ts';
import type { Transaction } from './api.ts';
import type { Failure } from './failure.ts';

export interface TimelineProps {
  apiKey: string;
  transaction: Transaction;
  zone: TimeZoneChoice;
  onFailure(failure: Failure): void;
}
