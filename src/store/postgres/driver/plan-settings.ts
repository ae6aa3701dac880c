import type { Question } from './batch.ts';

/** Settings of PostgreSQL that decide on plans, by name. */
export type PlanSettings = Readonly<Record<string, string>>;

/** Compiling a statement takes longer than any of ours runs. */
export const NO_JIT: PlanSettings = { jit: 'off' };

/**
 * The plan of a recording is made once for each connection. It looks rows up by the primary key, one after the other,
 * whatever the statistics say: a table that was empty when the plan was made may have grown since.
 */
export const RECORDING_SETTINGS: PlanSettings = {
  ...NO_JIT,
  plan_cache_mode: 'force_generic_plan',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};

/**
 * Without sorts and scans of whole tables, so that no statistics and no planner of a later version can choose them
 * for a list. For lists alone: a statement that has to sort seems to cost 10,000,000,000 under them.
 */
export const LIST_SWITCHES: PlanSettings = {
  ...NO_JIT,
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};

export const LIST_SETTINGS: PlanSettings = { ...RECORDING_SETTINGS, ...LIST_SWITCHES };

/** Settings as the options that a session begins with. */
export const optionsOf = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

const SET_FOR_TRANSACTION = {
  name: 'transactions_plan_settings',
  text: 'SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS given (name, value)',
  readRow: () => undefined,
};

const arrayOf = (texts: readonly string[]) => `{${texts.join(',')}}`;

/** Sets them for the queries that follow in its batch, which is one transaction of the database. */
export function planSettingsQuery(settings: PlanSettings, deadlineMs: number): Question {
  return {
    statement: SET_FOR_TRANSACTION,
    values: [arrayOf(Object.keys(settings)), arrayOf(Object.values(settings))],
    deadlineMs,
    answer: () => {},
    // The queries behind it are sent again, with settings of their own.
    fail: () => {},
  };
}
