type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | `UPDATE (${string})`;

interface TableRecord {
  /** `verify` and `copy` read rows in the order of these columns. */
  key: readonly string[];
  primaryKey?: readonly string[];
  /** `account`: each row belongs only to the account in its column `account`. */
  belongsTo: 'account' | 'service';
  outlivesAccount?: true;
  /** `distributed`: on the node that has the transactions of the row's account. */
  onCitus: 'distributed' | 'coordinator';
  /** Distributing the many rows of this table takes long, so the table must not be locked meanwhile. */
  isLarge?: true;
  /** The name of a row in reports, and the name of the check that finds faulty rows. */
  row: readonly [noun: string, check: string];
  /** The columns in the order in which row-by-row checks read them. */
  columns?: readonly string[];
  serving: readonly Right[];
  importing?: readonly Right[];
  recording?: readonly Right[];
  /**
   * How `verify` checks the rows. `account`: together with the other rows of the account. `records`: row by
   * row. `alone`: by a check for this table alone.
   */
  verified: 'account' | 'records' | 'alone';
  /**
   * How `copy` copies the rows. `changes`: as a part of the account's changes. `records`: row by row, after
   * the changes of all accounts.
   */
  copied: 'changes' | 'records' | 'not';
}

const WHOLE = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
const DERIVED = {
  belongsTo: 'account',
  onCitus: 'distributed',
  serving: ['SELECT'],
  verified: 'account',
  copied: 'not',
} as const;

const OF_ACCOUNT = {
  belongsTo: 'account',
  onCitus: 'distributed',
  verified: 'records',
  copied: 'records',
} as const;

const OF_SERVICE = { belongsTo: 'service', onCitus: 'coordinator' } as const;

/** The roles of the service can add entries, but cannot change or remove them. */
const AUDIT = {
  row: ['audit entry', 'audit'],
  columns: ['account', 'at_ms', 'id', 'action', 'subject', 'detail', 'via', 'actor', 'address'],
  key: ['account', 'at_ms', 'id'],
  belongsTo: 'account',
  outlivesAccount: true,
  verified: 'records',
  copied: 'records',
} as const;

export const TABLES = {
  // This table is distributed first. The other distributed tables are colocated with it.
  transactions: {
    row: ['transaction', 'rows'],
    key: ['account', 'reference'],
    belongsTo: 'account',
    onCitus: 'distributed',
    isLarge: true,
    serving: ['SELECT'],
    importing: ['INSERT', 'UPDATE'],
    recording: ['INSERT', 'UPDATE'],
    verified: 'account',
    copied: 'changes',
  },
  // Distributed next, because recordings fail while only `transactions` is distributed.
  accounts: {
    row: ['head', 'numbers'],
    key: ['account'],
    belongsTo: 'account',
    onCitus: 'distributed',
    serving: ['SELECT'],
    importing: ['SELECT', 'INSERT', 'UPDATE'],
    recording: ['SELECT', 'INSERT', 'UPDATE'],
    verified: 'account',
    copied: 'changes',
  },
  archives: {
    row: ['archive', 'numbers'],
    columns: [
      'account',
      'before_ms',
      'floor_sequence',
      'floor_nonce',
      'floor_seal',
      'rest',
      'removed_changes',
    ],
    key: ['account'],
    ...OF_ACCOUNT,
    serving: ['SELECT'],
    importing: ['SELECT'],
    recording: ['SELECT'],
    copied: 'changes',
  },
  webhook_endpoints: {
    row: ['webhook', 'webhooks'],
    columns: [
      'account',
      'id',
      'created_at_ms',
      'url',
      'types',
      'label',
      'ordered',
      'secret',
      'previous_secret',
      'previous_secret_until_ms',
      'disabled_reason',
      'disabled_at_ms',
      'version',
      'replay_version',
      'acknowledged_sequence',
      'failing_since_ms',
      'quick',
    ],
    key: ['account', 'id'],
    ...OF_ACCOUNT,
    serving: WHOLE,
  },
  // Not copied. When an instance begins to deliver webhooks, it creates these rows again from the endpoints.
  watched_accounts: {
    row: ['watched account', 'webhooks'],
    key: ['account'],
    belongsTo: 'account',
    onCitus: 'coordinator',
    serving: ['SELECT', 'INSERT', 'UPDATE'],
    importing: ['SELECT', 'UPDATE'],
    recording: ['SELECT', 'UPDATE'],
    verified: 'alone',
    copied: 'not',
  },
  webhook_failures: {
    row: ['webhook failure', 'webhooks'],
    columns: [
      'account',
      'endpoint_id',
      'sequence',
      'attempts',
      'first_failed_at_ms',
      'last_failed_at_ms',
      'next_attempt_at_ms',
      'response_status',
      'error',
    ],
    key: ['account', 'endpoint_id', 'sequence'],
    ...OF_ACCOUNT,
    serving: WHOLE,
  },
  daily_totals: {
    row: ['daily total', 'totals'],
    key: ['account', 'day', 'currency_code', 'status'],
    ...DERIVED,
    importing: ['SELECT', 'INSERT', 'UPDATE'],
    recording: ['SELECT', 'INSERT', 'UPDATE'],
  },
  seals: { row: ['seal', 'seals'], key: ['account'], ...DERIVED },
  seal_blocks: {
    row: ['seal block', 'seals'],
    key: ['account', 'sequence'],
    isLarge: true,
    ...DERIVED,
    serving: [],
  },
  exports: {
    row: ['export', 'exports'],
    columns: ['account', 'id', 'started_at_ms', 'record'],
    key: ['account', 'id'],
    ...OF_ACCOUNT,
    serving: WHOLE,
  },
  idempotency_keys: {
    row: ['idempotency key', 'keys'],
    columns: ['account', 'key', 'fingerprint', 'reference'],
    key: ['account', 'key'],
    ...OF_ACCOUNT,
    isLarge: true,
    serving: [],
    recording: ['SELECT', 'INSERT'],
  },
  // On Citus, keys stay on the coordinator. They cannot be distributed by account, because a key is looked up
  // before its account is known. If all workers had copies, no key could be written while a worker is down.
  api_keys: {
    row: ['key', 'keys'],
    columns: [
      'account',
      'id',
      'hash',
      'label',
      'created_at_ms',
      'expires_at_ms',
      'revoked_at_ms',
      'scopes',
      'account_prefix',
      'rolled_at_ms',
      'expires_before_roll_ms',
      'key_start',
      'last_used_at_ms',
      'end_recorded_at_ms',
      'kind',
      'person',
      'reason',
      'code_expires_at_ms',
      'opened_at_ms',
      'made_by',
    ],
    key: ['account', 'id'],
    primaryKey: ['id'],
    belongsTo: 'account',
    onCitus: 'coordinator',
    // The rows are API keys and sessions. The serving role opens and ends sessions. In the row of an API key,
    // a trigger lets this role update only `last_used_at_ms`.
    serving: [
      'SELECT',
      'UPDATE (last_used_at_ms)',
      'UPDATE (hash)',
      'UPDATE (key_start)',
      'UPDATE (opened_at_ms)',
      'UPDATE (revoked_at_ms)',
      'UPDATE (end_recorded_at_ms)',
    ],
    recording: ['INSERT', 'UPDATE', 'DELETE'],
    verified: 'records',
    copied: 'records',
  },
  // An audit entry is written in one `tx` with the rows that it is about, so they must be on the same node.
  key_audit: { ...AUDIT, onCitus: 'coordinator', serving: ['INSERT'], recording: ['INSERT'] },
  account_audit: { ...AUDIT, onCitus: 'distributed', serving: ['SELECT', 'INSERT'], recording: ['INSERT'] },
  recorded_statuses: {
    row: ['recorded status', 'rows'],
    columns: ['status'],
    key: ['status'],
    ...OF_SERVICE,
    serving: ['SELECT'],
    importing: ['INSERT'],
    recording: ['INSERT'],
    verified: 'records',
    copied: 'records',
  },
  cursor_secret: {
    row: ['cursor secret', 'keys'],
    columns: ['only_row', 'secret', 'created_at_ms'],
    key: ['only_row'],
    ...OF_SERVICE,
    serving: ['SELECT', 'INSERT'],
    verified: 'records',
    copied: 'records',
  },
  instances: {
    row: ['serving instance', 'webhooks'],
    columns: ['instance', 'host', 'version', 'settings', 'started_at_ms', 'seen_at_ms'],
    key: ['instance'],
    ...OF_SERVICE,
    serving: WHOLE,
    verified: 'records',
    copied: 'not',
  },
  // Not copied, because the lease belongs to an instance that serves the source.
  webhook_lease: {
    row: ['webhook lease', 'webhooks'],
    columns: ['only_row', 'instance', 'rules', 'expires_at_ms'],
    key: ['only_row'],
    ...OF_SERVICE,
    serving: ['SELECT', 'INSERT', 'UPDATE'],
    verified: 'records',
    copied: 'not',
  },
  copy_state: {
    row: ['mark of a copy', 'copy'],
    key: ['only_row'],
    ...OF_SERVICE,
    serving: ['SELECT'],
    verified: 'alone',
    copied: 'not',
  },
  schema_migrations: {
    row: ['migration', 'schema'],
    key: ['version'],
    ...OF_SERVICE,
    serving: ['SELECT'],
    verified: 'alone',
    copied: 'not',
  },
} as const satisfies Record<string, TableRecord>;

export type Table = keyof typeof TABLES;

type TableWith<Values> = {
  [Name in Table]: (typeof TABLES)[Name] extends Values ? Name : never;
}[Table];

export type RecordTable = TableWith<{ verified: 'records' }>;
export type CopiedTable = TableWith<{ verified: 'records'; copied: 'records' }>;

export const TABLE_LIST: readonly (TableRecord & { name: Table })[] = Object.entries(TABLES).map(
  ([name, table]) => ({ name: name as Table, ...table }),
);

export const tablesWith = (condition: (table: TableRecord) => boolean): Table[] =>
  TABLE_LIST.filter(condition).map(({ name }) => name);
