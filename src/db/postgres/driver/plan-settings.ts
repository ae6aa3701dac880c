export type PlanSettings = Readonly<Record<string, string>>;

/** Compiling a statement takes longer than running any statement of the service. */
export const NO_JIT: PlanSettings = { jit: 'off' };

/**
 * Each connection plans a recording once. The plan must look rows up by the primary key, whatever the
 * statistics say, because a table that was empty at planning time may have grown since.
 */
export const RECORDING_SETTINGS: PlanSettings = {
  ...NO_JIT,
  plan_cache_mode: 'force_generic_plan',
  enable_indexscan: 'on',
  enable_indexonlyscan: 'on',
  enable_nestloop: 'on',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};

/**
 * Keeps sorts and sequential scans out of lists, whatever the statistics or a later planner say. Only for
 * lists: a statement that must sort gets a cost of 10,000,000,000.
 */
export const LIST_SWITCHES: PlanSettings = {
  ...NO_JIT,
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};

export const LIST_SETTINGS: PlanSettings = { ...RECORDING_SETTINGS, ...LIST_SWITCHES };

/**
 * Citus can make a generic plan only for a select from one table with the account as a parameter. It refuses
 * to execute any other generic plan. With `auto`, Citus plans a merged list at each execution, and every
 * other list once.
 */
const ON_CITUS: PlanSettings = { plan_cache_mode: 'auto' };
export const LIST_SETTINGS_ON_CITUS: PlanSettings = { ...LIST_SETTINGS, ...ON_CITUS };
export const RECORDING_SETTINGS_ON_CITUS: PlanSettings = { ...RECORDING_SETTINGS, ...ON_CITUS };

export const optionsOf = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`)
    .join(' ');
