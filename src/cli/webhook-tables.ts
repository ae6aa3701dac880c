import type { formatFailure, formatWebhook } from '../core/webhooks/format-webhook.ts';
import { table } from './output.ts';

/** Tables fit a terminal of 80 columns. JSON has the whole values. */
const URL_CHARACTERS = 25;
const ERROR_CHARACTERS = 33;

const cut = (text: string, characters: number) =>
  text.length > characters ? `${text.slice(0, characters - 3)}...` : text;

/** The lines of a table of endpoints. A disabled one has the reason as its state, unless it was requested. */
export function webhookTable(shown: readonly ReturnType<typeof formatWebhook>[]): string[] {
  return table(
    ['ID', 'STATE', 'ACKNOWLEDGED', 'FAILURES', 'URL'],
    shown.map(({ id, state, disabledReason, acknowledgedSequence, failures, url }) => [
      id,
      disabledReason === null || disabledReason === 'requested' ? state : disabledReason,
      String(acknowledgedSequence),
      String(failures),
      cut(url, URL_CHARACTERS),
    ]),
  );
}

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
