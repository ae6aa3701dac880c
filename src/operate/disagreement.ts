import { quote } from '../../values/quote.ts';

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

export type FaultAt = { place: string; found: string } & ({ expected: string } | { contradicts: string });

export type Disagreement = { check: Check; account: string | null } & FaultAt;

export interface RowFault {
  found: string;
  expected: string;
}

export const schemaDisagreement = (place: string, found: string, expected: string): Disagreement => ({
  check: 'schema',
  account: null,
  ...{ place, found, expected },
});

export const alteredMigration = ({ version, name }: { version: number; name: string }): Disagreement =>
  schemaDisagreement(
    `migration ${version} ${name}`,
    'another checksum',
    "the checksum of this program's migration",
  );

export const differingIndex = (place: string, found: string): Disagreement => ({
  check: 'indexes',
  account: null,
  ...{ place, found, expected: 'one entry for each row that belongs in it, in their order' },
});

export const show = (value: unknown): string => (typeof value === 'string' ? quote(value) : String(value));

export const VERIFIED = {
  schemaObjects: ['part of the schema', 'parts of the schema'],
  indexes: ['index', 'indexes'],
  accounts: ['account'],
  transactions: ['transaction'],
  changes: ['sequence number'],
  sealedChanges: ['sealed change'],
  dailyTotals: ['daily total'],
  apiKeys: ['key'],
  idempotencyKeys: ['idempotency key'],
  exports: ['export'],
  webhooks: ['webhook'],
  webhookFailures: ['webhook failure'],
  auditEntries: ['audit entry', 'audit entries'],
} as const satisfies Record<string, readonly [one: string, several?: string]>;

export type Verified = Record<keyof typeof VERIFIED | 'disagreements', number>;

export const nothingVerified = (): Verified =>
  Object.fromEntries([...Object.keys(VERIFIED), 'disagreements'].map((name) => [name, 0])) as Verified;
