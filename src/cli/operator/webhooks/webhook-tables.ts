import type { formatFailure, formatWebhook } from '../../../webhooks/format-webhook.ts';
import { table } from '../../terminal/output.ts';

/** Tables fit a terminal of 80 columns. JSON has the whole values. */
const MAX_CHARACTERS = 80;
const MIN_NAME_CHARACTERS = 12;
const ERROR_CHARACTERS = 33;

const cut = (text: string, characters: number) => {
  const all = [...text];
  return all.length > characters ? `${all.slice(0, characters - 3).join('')}...` : text;
};

/** An endpoint as responses of the API show it; with its account in a list of several. */
export type ShownWebhook = ReturnType<typeof formatWebhook> & { headSequence: number; account?: string };

/**
 * The lines of a table of endpoints. A disabled one has the reason as its state, unless it was requested. An endpoint without a label
 * has its URL there. The last column has the place that the others leave.
 */
export function webhookTable(shown: readonly ShownWebhook[]): string[] {
  const isOfSeveral = shown.some(({ account }) => account !== undefined);
  const header = [...(isOfSeveral ? ['ACCOUNT'] : []), 'ID', 'STATE', 'BEHIND', 'FAILURES', 'FAILING SINCE'];
  const rows = shown.map((one) => [
    ...(one.account === undefined ? [] : [one.account]),
    one.id,
    one.disabledReason === null || one.disabledReason === 'requested' ? one.state : one.disabledReason,
    // After a restore, an endpoint can be ahead.
    String(Math.max(0, one.headSequence - one.acknowledgedSequence)),
    String(one.failureCount),
    one.failingSince === null ? '-' : toTheMinute(one.failingSince),
  ]);
  const widest = Math.max(...table(header, rows, Number.POSITIVE_INFINITY).map((line) => line.length));
  const room = Math.max(MIN_NAME_CHARACTERS, MAX_CHARACTERS - widest - 2);
  const names = shown.map(({ label, url }) => cut(label ?? url.replace(/^https?:\/\//i, ''), room));
  return table(
    [...header, 'LABEL OR URL'],
    rows.map((row, index) => [...row, names[index] ?? '']),
  );
}

const toTheMinute = (timestamp: string) => timestamp.replace(/:\d{2}\.\d{3}Z$/, 'Z');

export function failureTable(shown: readonly ReturnType<typeof formatFailure>[]): string[] {
  return table(
    ['SEQUENCE', 'ATTEMPTS', 'NEXT ATTEMPT', 'ERROR'],
    shown.map(({ sequence, attempts, nextAttemptAt, error }) => [
      String(sequence),
      String(attempts),
      nextAttemptAt ?? 'none',
      cut(error, ERROR_CHARACTERS),
    ]),
  );
}
