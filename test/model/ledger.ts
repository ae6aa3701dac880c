import type { Transaction } from '../../src/ledger/transaction.ts';
import { dayOf } from './calendar.ts';
import { compareInList, type Decision, decide, shownOf } from './transactions.ts';

/** How far ahead of the clock of the service a new transaction can be created. */
const AHEAD_MS = 86_400_000;

export const isTooFarAhead = ({ createdAtMs }: Transaction, nowMs: number): boolean =>
  createdAtMs > nowMs + AHEAD_MS;

interface ModelChange {
  sequence: number;
  /** As the service returned it first: it never changes. */
  id: string;
  previousStatus: string | null;
  recordedAt: string;
  transaction: Transaction;
  /** Archived, with its transaction. */
  isRemoved: boolean;
}

export interface ModelKey {
  id: string;
  key: string;
  scopes: string[];
  /** For how long it was made; null for ever. A roll does not change it. */
  lifetimeMs: number | null;
  expiresAtMs: number | null;
  isRevoked: boolean;
}

/** An account, from its first recording or key to its erasure. */
export class ModelAccount {
  readonly rows = new Map<string, Transaction>();
  /** All that there ever were: also those that are archived. */
  readonly changes: ModelChange[] = [];
  /** The transactions that were archived, each in a file. */
  readonly archivedRows: Transaction[] = [];
  readonly idempotencyKeys = new Map<string, Transaction>();
  readonly keys: ModelKey[] = [];
  /** The number of the last archived change. */
  floor = 0;
  /** The first day that is not archived. */
  archivedBefore: string | null = null;

  clone(): ModelAccount {
    return Object.assign(Object.create(ModelAccount.prototype), structuredClone(this));
  }

  get head(): number {
    return this.changes.length;
  }

  /** The id of a change; null for the number 0. */
  idAt(sequence: number): string | null {
    return this.changes[sequence - 1]?.id ?? null;
  }

  /** Those of one transaction. An archived one with the same reference was another. */
  changesOf(reference: string): ModelChange[] {
    return this.changes.filter(
      ({ transaction, isRemoved }) => !isRemoved && transaction.reference === reference,
    );
  }

  /** In the order of the list. */
  list(isWanted: (row: Transaction) => boolean): Transaction[] {
    return [...this.rows.values()].filter(isWanted).sort(compareInList);
  }

  /** Whether a new transaction is refused because of the time at which it was created. */
  isRefused(transaction: Transaction, nowMs: number): boolean {
    return isTooFarAhead(transaction, nowMs) || this.isArchivedDay(transaction.createdAtMs);
  }

  isArchivedDay(createdAtMs: number): boolean {
    return this.archivedBefore !== null && dayOf(createdAtMs, null) < this.archivedBefore;
  }

  decide(given: Transaction, nowMs: number): Decision | { outcome: 'invalid' } {
    const decision = decide(this.rows.get(given.reference), given);
    return decision.outcome === 'recorded' && this.isRefused(given, nowMs)
      ? { outcome: 'invalid' }
      : decision;
  }

  /** Adds the next change. It must be possible. */
  add(change: Omit<ModelChange, 'previousStatus' | 'isRemoved'>): ModelChange {
    const before = this.rows.get(change.transaction.reference);
    const previousStatus = before?.status ?? null;
    const transaction = afterRemoval(change.transaction, before);
    const added = { ...change, transaction, previousStatus, isRemoved: false };
    this.changes.push(added);
    this.rows.set(transaction.reference, transaction);
    return added;
  }

  /** Removes the details of a transaction and of its changes, if it has some. */
  removeDetails(reference: string, nowMs: number): void {
    const row = this.rows.get(reference);
    if (row === undefined || row.details === null) return;
    const removed = { details: null, detailsRemovedAtMs: nowMs };
    this.rows.set(reference, { ...row, ...removed });
    for (const change of this.changesOf(reference))
      change.transaction = { ...change.transaction, ...removed };
    for (const [key, first] of this.idempotencyKeys)
      if (first.reference === reference) this.idempotencyKeys.set(key, { ...first, ...removed });
  }

  /** What an archive moves to its file. */
  archivable(before: string): Transaction[] {
    const until = this.archivedBefore !== null && this.archivedBefore > before ? this.archivedBefore : before;
    return this.list(({ status, createdAtMs }) => status !== 'pending' && dayOf(createdAtMs, null) < until);
  }

  archive(moved: readonly Transaction[], before: string): void {
    if (moved.length === 0) return;
    for (const row of moved) {
      this.rows.delete(row.reference);
      this.archivedRows.push(row);
      for (const change of this.changesOf(row.reference)) {
        change.isRemoved = true;
        this.floor = Math.max(this.floor, change.sequence);
      }
    }
    if (this.archivedBefore === null || before > this.archivedBefore) this.archivedBefore = before;
  }
}

/** A transaction as it is recorded after another version: details that were removed stay removed. */
export const afterRemoval = (given: Transaction, before: Transaction | undefined): Transaction =>
  before == null || before.detailsRemovedAtMs === null
    ? given
    : { ...given, details: null, detailsRemovedAtMs: before.detailsRemovedAtMs };

/** A change as a response has it. */
export const shownChange = ({ sequence, id, previousStatus, recordedAt, transaction }: ModelChange) => ({
  sequence,
  id,
  type: `transaction.${transaction.status}`,
  previousStatus,
  recordedAt,
  transaction: shownOf(transaction),
});
