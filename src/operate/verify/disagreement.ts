export type Check =
  | 'schema'
  | 'copy'
  | 'erasure'
  | 'pages'
  | 'indexes'
  | 'rows'
  | 'numbers'
  | 'seals'
  | 'totals'
  | 'keys'
  | 'exports'
  | 'webhooks'
  | 'audit';

interface Found {
  check: Check;
  /** Null if it concerns no account. */
  account: string | null;
  /** The transaction, sequence number, day, index or key, for example `sequence number 7`. */
  place: string;
  /** What is there. */
  found: string;
}

/** Something in the database that contradicts a rule. */
interface RuleBroken extends Found {
  /** What should be there. */
  expected: string;
}

/** Two things in the database that contradict each other. Either can be wrong. */
interface Disagreeing extends Found {
  /** The other thing, as a sentence without its full stop. */
  contradicts: string;
}

export type Disagreement = RuleBroken | Disagreeing;

/** How much was checked. */
export interface Verified {
  /** Tables, columns, indexes, constraints and policies. */
  schemaObjects: number;
  accounts: number;
  transactions: number;
  /** Sequence numbers. */
  changes: number;
  sealedChanges: number;
  dailyTotals: number;
  /** Indexes that the database itself compared with their tables. */
  indexes: number;
  apiKeys: number;
  idempotencyKeys: number;
  exports: number;
  webhooks: number;
  webhookFailures: number;
  auditEntries: number;
  disagreements: number;
}

export const nothingVerified = (): Verified => ({
  schemaObjects: 0,
  accounts: 0,
  transactions: 0,
  changes: 0,
  sealedChanges: 0,
  dailyTotals: 0,
  indexes: 0,
  apiKeys: 0,
  idempotencyKeys: 0,
  exports: 0,
  webhooks: 0,
  webhookFailures: 0,
  auditEntries: 0,
  disagreements: 0,
});
