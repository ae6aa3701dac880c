/** What a deployment answers to where it has a profile; other profiles are always there. @type {Partial<Record<import('../index.js').Profile, string>>} */
export const PROFILE_PATHS = {
  changes: '/v1/changes?limit=1',
  export: '/v1/transactions.csv?from=0001-01-01&to=0001-01-01',
  totals: '/v1/totals?from=0001-01-01&to=0001-01-01',
};

/** @type {readonly import('../index.js').Profile[]} */
export const PROFILES = ['list', 'retrieve', 'record', 'changes', 'totals', 'export', 'webhooks'];
