import { BUILT_IN_STATUSES, isStatusName } from '../../../../values/status.ts';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { type KeyedConnections, readStatement } from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import type { StampCommit } from '../../changes/change.ts';
import type { AccountTransaction } from '../../transaction.ts';
import {
  createdOnArchivedDay,
  type IdempotencyKey,
  type RecordOnceOutcome,
  type TransactionRecorder,
} from '../record.ts';
import { GroupRecording } from './record-group.ts';
import { HeldRecorder } from './record-held.ts';
import { ON_CITUS } from './record-on-citus.ts';
import {
  IS_RECORDED,
  ON_POSTGRES,
  READ_ARCHIVED_BEFORE,
  READ_KEY,
  type RecordingStatements,
  rowIdentityOf,
  type SendOptions,
  type StatementSender,
  sendOne,
} from './record-statements.ts';

interface RecorderOptions {
  connections: StatementSender;
  topology: Topology;
  headWaitMs: number;
  rowWaitMs: number;
  stampCommit: StampCommit;
  /** Statuses that the database has. Cleared after a reconnection: the database may have been restored. */
  notedStatuses?: Set<string>;
  /** The connections of recordings that wait for a locked row. If absent, these recordings fail. */
  held?: { connections: KeyedConnections; timeoutMs: number };
}

export const heldRowError = () =>
  new StoreUnavailable('database_locked', 'another transaction of the database holds the row');

export function transactionRecorder({
  connections,
  topology,
  headWaitMs,
  rowWaitMs,
  stampCommit,
  notedStatuses = new Set(),
  held,
}: RecorderOptions): TransactionRecorder {
  const statements = topology === 'one server' ? ON_POSTGRES : ON_CITUS;
  const shared: SendOptions = { sender: connections, headWaitMs, rowWaitMs };
  const statuses = new StatusNoter(connections, notedStatuses);
  const heldRecorder = held && new HeldRecorder({ ...held, statements, stampCommit });

  const holding = (): HeldRecorder => {
    if (heldRecorder === undefined) throw heldRowError();
    return heldRecorder;
  };

  const recordOnce = (transaction: AccountTransaction, once: IdempotencyKey): Promise<RecordOnceOutcome> => {
    const key = `${transaction.account} key ${once.key}`;
    const record = (sending: SendOptions) =>
      recordUnderKey(statements, sending, stampCommit, transaction, once);
    if (held?.connections.isSlow(key)) return holding().untilFree(key, record);
    return record(shared).catch((error) => {
      if (!statements.isHeld(error)) throw error;
      return holding().untilFree(key, record);
    });
  };

  const record: TransactionRecorder['record'] = async (transactions, { once, waits } = {}) => {
    const [first] = transactions as [AccountTransaction];
    if (once !== undefined) return [await recordOnce(first, once)];
    if (waits) return [await holding().record(first)];
    const group = new GroupRecording(statements, shared, stampCommit);
    for (const transaction of held?.connections.hasSlow ? transactions : []) {
      const identity = rowIdentityOf(transaction);
      // Recordings of a slow row or account wait in order, so this transaction must not overtake them.
      if (held?.connections.isSlow(identity) || held?.connections.isSlow(transaction.account))
        group.results.set(identity, { outcome: 'held' });
    }
    await group.record(transactions);
    for (const account of group.heldAccounts) held?.connections.remember(account);
    for (const identity of group.heldRows) held?.connections.remember(identity);
    return transactions.map(group.resultOf);
  };
  return {
    record: async (transactions, alone) => {
      await statuses.note(transactions);
      const results = await record(transactions, alone);
      // Statuses are stored again: the recording may have reconnected to a restored database that lacks them.
      await statuses.note(transactions).catch(() => {});
      return results;
    },
  };
}

async function recordUnderKey(
  statements: RecordingStatements,
  sending: SendOptions,
  stampCommit: StampCommit,
  transaction: AccountTransaction,
  { key, fingerprint, repeatsOnly = false }: IdempotencyKey,
): Promise<RecordOnceOutcome> {
  const { account, createdAtMs } = transaction;
  const [fresh] = repeatsOnly
    ? []
    : await statements.useKey(sending, {
        account,
        key,
        fingerprint,
        reference: transaction.reference,
        createdAtMs,
      });
  const { sender } = sending;
  const [used] = fresh
    ? [{ fingerprint, reference: transaction.reference }]
    : await sendOne(sender, READ_KEY, { account, key });
  if (used === undefined && repeatsOnly) return { outcome: 'not_recorded' };
  if (used === undefined) {
    const [archivedBeforeMs] = await sendOne(sender, READ_ARCHIVED_BEFORE, { account, createdAtMs });
    // Nothing was stored: the key was used, or the day is archived. If neither is true now, the account was
    // erased in between.
    throw archivedBeforeMs === undefined
      ? new StoreUnavailable('history_replaced')
      : createdOnArchivedDay(archivedBeforeMs);
  }
  const { reference } = used;
  if (used.fingerprint !== fingerprint) return { outcome: 'key_reused', reference };
  if (!fresh && (await sendOne(sender, IS_RECORDED, { account, reference })).length > 0)
    return { outcome: 'repeated', reference };
  if (repeatsOnly) return { outcome: 'not_recorded' };
  // An earlier request can have stored the key, with its `reference`, and then failed.
  const row = { ...transaction, reference };
  const group = new GroupRecording(statements, sending, stampCommit);
  await group.record([row]);
  const result = group.resultOf(row);
  if (result.outcome === 'failed') throw result.error;
  if (result.outcome === 'held') throw group.heldBy;
  // The transaction exists, because another request with this key recorded it meanwhile.
  if (result.outcome !== 'recorded') return { outcome: 'repeated', reference };
  return { ...result, outcome: 'recorded', reference };
}

const NOTE = readStatement(
  'INSERT INTO recorded_statuses (status) VALUES ($1) ON CONFLICT DO NOTHING',
  () => undefined,
);

/** A new status has its own database transaction, so that recordings with this status wait only briefly. */
class StatusNoter {
  readonly #sender: Pick<StatementSender, 'transact'>;
  readonly #noted: Set<string>;
  #noting: Promise<void> | null = null;

  constructor(sender: Pick<StatementSender, 'transact'>, noted: Set<string>) {
    this.#sender = sender;
    this.#noted = noted;
  }

  /** Calls resolve in order, so that recordings keep their order. */
  async note(transactions: readonly AccountTransaction[]): Promise<void> {
    const before = this.#noting;
    const missing = [...new Set(this.#statusesOf(transactions))];
    if (before === null && missing.length === 0) return;
    const noting = this.#noteAfter(before, missing);
    this.#noting = noting;
    try {
      await noting;
    } finally {
      if (this.#noting === noting) this.#noting = null;
    }
  }

  /** Skips a text that is not a valid name of a status, because its transaction is refused later. */
  *#statusesOf(transactions: readonly AccountTransaction[]): Generator<string> {
    for (const { status } of transactions)
      if (!BUILT_IN_STATUSES.has(status) && !this.#noted.has(status) && isStatusName(status)) yield status;
  }

  async #noteAfter(before: Promise<void> | null, statuses: readonly string[]): Promise<void> {
    await before?.catch(() => {});
    for (const status of statuses) {
      if (this.#noted.has(status)) continue;
      await this.#sender.transact([{ statement: NOTE, values: [status] }]);
      this.#noted.add(status);
    }
  }
}
