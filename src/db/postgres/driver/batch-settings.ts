import type { PendingQuery } from './batch.ts';
import type { PlanSettings } from './plan-settings.ts';
import { arrayText, readStatement } from './statement.ts';

/** The server cancels a late query before its deadline, at which the service would close the connection. */
const STATEMENT_SHARE = 0.9;

const SET_STATEMENT_TIMEOUT = readStatement(`SELECT set_config('statement_timeout', $1, true)`, (row) =>
  row.text(),
);
const SET_PLAN_SETTINGS = readStatement(
  'SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS given (name, value)',
  (row) => row.text(),
);

/** The settings apply to the rest of the batch, which is one database transaction. */
const settingsQuery = (
  statement: PendingQuery['statement'],
  values: PendingQuery['values'],
  deadlineMs: number,
): PendingQuery => ({
  statement,
  values,
  deadlineMs,
  resolve: () => {},
  // No caller waits for this query. The connection itself handles every error of a batch.
  reject: () => {},
});

export function statementTimeoutQuery(deadlineMs: number): PendingQuery {
  const timeoutMs = Math.max(1, Math.ceil((deadlineMs - performance.now()) * STATEMENT_SHARE));
  return settingsQuery(SET_STATEMENT_TIMEOUT, [timeoutMs], deadlineMs);
}

export function planSettingsQuery(settings: PlanSettings, deadlineMs: number): PendingQuery {
  const values = [arrayText(Object.keys(settings)), arrayText(Object.values(settings))];
  return settingsQuery(SET_PLAN_SETTINGS, values, deadlineMs);
}
