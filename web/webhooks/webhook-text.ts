import type { WebhookEndpoint, WebhookTestResult } from '../../client/src/webhook-endpoint.ts';
import { counted, number } from '../text/count.ts';
import { statusText } from '../text/status.ts';
import { texts } from './endpoint-texts.ts';

export function nameOf({ label, url }: Pick<WebhookEndpoint, 'label' | 'url'>): string {
  if (label !== null && label.trim() !== '') return label;
  return hostOf(url);
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const LONGEST_URL = 96;
const END_LENGTH = 28;

export function cutUrl(url: string): string {
  if (url.length <= LONGEST_URL) return url;
  return `${url.slice(0, LONGEST_URL - END_LENGTH - 1)}\u2026${url.slice(-END_LENGTH)}`;
}

const TYPE = /^transaction\.(.+)$/;

export function typesText(types: readonly string[] | null): string {
  if (types === null) return texts.$allChanges;
  return types.map((type) => statusText(TYPE.exec(type)?.[1] ?? type)).join(', ');
}

export function lagText({
  acknowledgedSequence,
  headSequence,
  state,
  failureCount,
}: WebhookEndpoint): string {
  // The difference is negative if the service was restored from a backup.
  const lag = Math.max(0, headSequence - acknowledgedSequence);
  if (lag === 0)
    return failureCount === 0
      ? texts.$upToDate
      : texts.$deliveredExcept(counted(failureCount, texts.$failure));
  const changes = counted(lag, texts.$change);
  return state === 'disabled' ? texts.$changesWaiting(changes) : texts.$changesBehind(changes);
}

export function goesOnText({ acknowledgedSequence }: Pick<WebhookEndpoint, 'acknowledgedSequence'>): string {
  return acknowledgedSequence === 0
    ? texts.$beginsWithFirst
    : texts.$continuesAfter(number(acknowledgedSequence));
}

export function testText({ delivered, status, error, durationMs }: WebhookTestResult): string {
  const duration = `${number(durationMs)} ms`;
  return delivered ? texts.$testDelivered(status, duration) : texts.$testFailed(error, status, duration);
}
