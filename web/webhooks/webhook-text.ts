import type { WebhookEndpoint, WebhookTestResult } from '../../client/src/webhook-endpoint.ts';
import { counted, number } from '../text/count.ts';
import { statusText } from '../text/status.ts';

/** The most failures that an endpoint keeps. From then on it goes on as an ordered one. */
export const MAX_FAILURES = 1000;

/** How an endpoint does: `title` is a word or two for it. */
export type Condition =
  | { kind: 'enabled'; title: 'Enabled' }
  | { kind: 'failing'; title: 'Failing' }
  | { kind: 'full'; title: 'Many failures' }
  | { kind: 'requested' | 'gone' | 'gave-up'; title: 'Disabled' };

export function conditionOf({
  state,
  disabledReason,
  failingSince,
  failureCount,
}: WebhookEndpoint): Condition {
  if (state === 'enabled') {
    if (failingSince !== null) return { kind: 'failing', title: 'Failing' };
    return failureCount < MAX_FAILURES
      ? { kind: 'enabled', title: 'Enabled' }
      : { kind: 'full', title: 'Many failures' };
  }
  const kind = disabledReason === 'gone' ? 'gone' : disabledReason === 'failing' ? 'gave-up' : 'requested';
  return { kind, title: 'Disabled' };
}

/** Whether somebody has to repair the receiver. */
export const isFailing = (webhook: WebhookEndpoint): boolean =>
  !['enabled', 'requested'].includes(conditionOf(webhook).kind);

/** The label of an endpoint, or the host of its URL. */
export function nameOf({ label, url }: Pick<WebhookEndpoint, 'label' | 'url'>): string {
  if (label !== null && label.trim() !== '') return label;
  return hostOf(url);
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const LONGEST_URL = 96;
const END_LENGTH = 28;

/** A URL that fits in a line: a long one without its middle, because its host and its end tell it from others. */
export function cutUrl(url: string): string {
  if (url.length <= LONGEST_URL) return url;
  return `${url.slice(0, LONGEST_URL - END_LENGTH - 1)}\u2026${url.slice(-END_LENGTH)}`;
}

const TYPE = /^transaction\.(.+)$/;

/** The types that are delivered, as the page names statuses. */
export function typesText(types: readonly string[] | null): string {
  if (types === null) return 'All changes';
  return types.map((type) => statusText(TYPE.exec(type)?.[1] ?? type)).join(', ');
}

/** How far behind an endpoint is. */
export function lagText({
  acknowledgedSequence,
  headSequence,
  state,
  failureCount,
}: WebhookEndpoint): string {
  // The service can have been restored from a backup.
  const lag = Math.max(0, headSequence - acknowledgedSequence);
  if (lag === 0)
    return failureCount === 0 ? 'Up to date' : `Delivered, except ${counted(failureCount, 'failure')}`;
  return state === 'disabled' ? `${counted(lag, 'change')} waiting` : `${counted(lag, 'change')} behind`;
}

/** What happens when an endpoint is enabled. */
export function goesOnText({ acknowledgedSequence }: Pick<WebhookEndpoint, 'acknowledgedSequence'>): string {
  return acknowledgedSequence === 0
    ? 'Deliveries begin with the first change.'
    : `Deliveries continue after change ${number(acknowledgedSequence)}.`;
}

/** The result of a test in a sentence. */
export function testText({ delivered, status, error, durationMs }: WebhookTestResult): string {
  const duration = `${number(durationMs)} ms`;
  if (delivered) return `Delivered: the receiver answered ${status ?? 'with success'} after ${duration}.`;
  return `Not delivered: ${error ?? `the receiver answered ${status}`} (after ${duration}).`;
}
