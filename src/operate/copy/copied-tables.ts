import type { CopiedTable } from '../../values/tables.ts';
import { REPLACED_COLUMNS } from '../../webhooks/webhook-columns.ts';
import { SECRET_COLUMNS, textOf } from '../verify/record-rules.ts';
import type { StoredRecord } from '../verify/verify-reader.ts';

/** What a table's records can become, so that a target that was copied before is known from another database. */
export interface CopiedRules {
  table: CopiedTable;
  place(record: StoredRecord): string;
  /** Records that stay where they are. */
  stays?(record: StoredRecord): boolean;
  /** Columns that never change. */
  fixed: readonly string[];
  /** Columns that are set once, and stay. */
  once?: readonly string[];
  /** Columns whose values never become smaller, once they are set. */
  growing?: readonly string[];
  /** Columns whose values never become larger, and are never removed. */
  shrinking?: readonly string[];
  /** While this column is the same, so are those of `ofVersion`, and those of `growingInVersion` only grow. */
  version?: string;
  ofVersion?: readonly string[];
  growingInVersion?: readonly string[];
  /** A column that can be further in the target: the larger value is kept, and no difference. */
  latest?: string;
  /** What is done with a record of the target that the source does not have. */
  missing: 'contradiction' | 'contradiction before the mark' | 'deletion';
  /** The sequence number that the record has, at most the head of its account. */
  sequence?: string;
}

export const CURSOR_SECRET: CopiedRules = {
  table: 'cursor_secret',
  place: () => 'cursor secret',
  fixed: ['secret', 'created_at_ms'],
  missing: 'contradiction',
};

export const API_KEYS: CopiedRules = {
  table: 'api_keys',
  place: ({ id }) => `key ${textOf(id)}`,
  // The page of the other service does not have their keys, and each ends within hours.
  stays: ({ kind }) => kind === 'session',
  fixed: ['kind', 'hash', 'label', 'created_at_ms', 'scopes', 'account_prefix', 'key_start'],
  once: ['revoked_at_ms', 'rolled_at_ms', 'expires_before_roll_ms'],
  growing: ['end_recorded_at_ms'],
  shrinking: ['expires_at_ms'],
  latest: 'last_used_at_ms',
  missing: 'contradiction',
};

const auditTrail = (table: 'key_audit' | 'account_audit'): CopiedRules => ({
  table,
  place: ({ id }) => `audit entry ${textOf(id)}`,
  fixed: ['action', 'subject', 'detail', 'via', 'actor', 'address'],
  missing: 'contradiction',
});

export const KEY_AUDIT = auditTrail('key_audit');
export const ACCOUNT_AUDIT = auditTrail('account_audit');

export const IDEMPOTENCY_KEYS: CopiedRules = {
  table: 'idempotency_keys',
  place: ({ key }) => `idempotency key ${textOf(key)}`,
  fixed: ['fingerprint', 'reference'],
  missing: 'contradiction',
};

/** A source that is archived while it is copied is another one than the target has a part of. */
export const ARCHIVES: CopiedRules = {
  table: 'archives',
  place: () => 'archive',
  fixed: ['before_ms', 'floor_sequence', 'floor_nonce', 'floor_seal', 'removed_changes'],
  missing: 'contradiction',
};

/** Expired exports are removed. */
export const EXPORTS: CopiedRules = {
  table: 'exports',
  place: ({ id }) => `export ${textOf(id)}`,
  fixed: ['started_at_ms'],
  growing: ['attempt'],
  missing: 'deletion',
};

export const WEBHOOK_ENDPOINTS: CopiedRules = {
  table: 'webhook_endpoints',
  place: ({ id }) => `webhook ${textOf(id)}`,
  fixed: ['bucket', 'created_at_ms'],
  growing: ['version', 'replay_version'],
  version: 'version',
  ofVersion: [...REPLACED_COLUMNS, 'replay_version'],
  growingInVersion: ['acknowledged_sequence'],
  missing: 'contradiction before the mark',
  sequence: 'acknowledged_sequence',
};

/** Removed when they are delivered, and kept again after a replay. */
export const WEBHOOK_FAILURES: CopiedRules = {
  table: 'webhook_failures',
  place: ({ endpoint_id: id, sequence }) => `failure of change ${sequence} of webhook ${textOf(id)}`,
  fixed: [],
  missing: 'deletion',
  sequence: 'sequence',
};

/** What the source must become if the target has this record: each difference that it can't, as what both sides have. */
export function recordContradictions(
  rules: CopiedRules,
  source: StoredRecord,
  target: StoredRecord,
): [source: string, target: string][] {
  const { once = [], growing = [], shrinking = [], version, ofVersion = [], growingInVersion = [] } = rules;
  const isSameVersion = version !== undefined && source[version] === target[version];
  const same = [...rules.fixed, ...(isSameVersion ? ofVersion : [])];
  const larger = [...growing, ...(isSameVersion ? growingInVersion : [])];
  const contradicting = [
    ...same.filter((column) => source[column] !== target[column]),
    ...once.filter((column) => target[column] !== null && source[column] !== target[column]),
    ...larger.filter((column) => !isAtLeast(source[column], target[column])),
    ...shrinking.filter((column) => !isAtLeast(target[column], source[column], { ofNull: 'largest' })),
  ];
  return contradicting.map((column) => [shown(column, source, 'a'), shown(column, target, 'another')]);
}

type Value = string | number | null | undefined;

/** Null is below every value, or above all. */
function isAtLeast(value: Value, least: Value, { ofNull = 'smallest' }: { ofNull?: string } = {}): boolean {
  const rank = (one: Value) =>
    one === null || one === undefined
      ? ofNull === 'smallest'
        ? Number.NEGATIVE_INFINITY
        : Number.POSITIVE_INFINITY
      : Number(one);
  return rank(value) >= rank(least);
}

function shown(column: string, record: StoredRecord, article: string): string {
  const value = record[column];
  if (!SECRET_COLUMNS.includes(column)) return `${column} ${value}`;
  return value === null ? `no ${column}` : `${article} ${column}`;
}

/** What is stored in the target for a record of both sides, or undefined if it has that already. */
export function mergedRecord(
  { latest }: CopiedRules,
  source: StoredRecord,
  target: StoredRecord,
): StoredRecord | undefined {
  const isLater = latest !== undefined && Number(target[latest]) > Number(source[latest]);
  const merged = isLater ? { ...source, [latest]: target[latest] ?? null } : source;
  const isSame = Object.keys(merged).every((column) => merged[column] === target[column]);
  return isSame ? undefined : merged;
}

/** Whether two states of a record differ in more than when it was last used. */
export const isMoreThanUse = ({ latest }: CopiedRules, source: StoredRecord, target: StoredRecord): boolean =>
  Object.keys(source).some((column) => column !== latest && source[column] !== target[column]);
