import { readStatement } from '../../../db/postgres/driver/index.ts';
import { notedStatuses } from '../../recorded-statuses.ts';
import type { AccountTransaction } from '../../transaction.ts';
import type { StatementSender } from './record-statements.ts';

const NOTE = readStatement(
  'INSERT INTO recorded_statuses (status) VALUES ($1) ON CONFLICT DO NOTHING',
  () => undefined,
);

/**
 * Stores each status that this process has not recorded before, in a separate database transaction. So a
 * status is stored before a transaction has it, and no recording waits for its lock while a group is
 * recorded.
 */
export class StatusNoter {
  readonly #sender: Pick<StatementSender, 'transact'>;
  readonly #noted = new Set<string>();
  #noting: Promise<void> | null = null;

  constructor(sender: Pick<StatementSender, 'transact'>) {
    this.#sender = sender;
  }

  /** Waiting recordings continue in the order of their calls. */
  async note(transactions: readonly AccountTransaction[]): Promise<void> {
    const before = this.#noting;
    const missing = notedStatuses(this.#statusesOf(transactions));
    if (before === null && missing.length === 0) return;
    const noting = this.#noteAfter(before, missing);
    this.#noting = noting;
    try {
      await noting;
    } finally {
      if (this.#noting === noting) this.#noting = null;
    }
  }

  /** The statuses that are not stored yet. */
  *#statusesOf(transactions: readonly AccountTransaction[]): Generator<string> {
    for (const { status } of transactions) if (!this.#noted.has(status)) yield status;
  }

  async #noteAfter(before: Promise<void> | null, statuses: readonly string[]): Promise<void> {
    // Continues even if the earlier call failed.
    await before?.catch(() => {});
    for (const status of statuses) {
      if (this.#noted.has(status)) continue;
      await this.#sender.transact([{ statement: NOTE, values: [status] }]);
      this.#noted.add(status);
    }
  }
}
