export type PlanSettings = Readonly<Record<string, string>>;

/** JIT is off because compiling a statement takes longer than running any statement of the service. */
export const NO_JIT: PlanSettings = { jit: 'off' };

/** Without these settings, PostgreSQL could plan for an empty table, and keep this plan without indexes. */
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

/** Settings for lists only. They rule out sorts and sequential scans, whatever the statistics say. */
export const LIST_SWITCHES: PlanSettings = {
  ...NO_JIT,
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};

export const LIST_SETTINGS: PlanSettings = { ...RECORDING_SETTINGS, ...LIST_SWITCHES };

/** Citus refuses generic plans, except for a select from one table with the account as a parameter. */
const ON_CITUS: PlanSettings = { plan_cache_mode: 'auto' };
export const LIST_SETTINGS_ON_CITUS: PlanSettings = { ...LIST_SETTINGS, ...ON_CITUS };
export const RECORDING_SETTINGS_ON_CITUS: PlanSettings = { ...RECORDING_SETTINGS, ...ON_CITUS };

export const optionsOf = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`)
    .join(' ');
