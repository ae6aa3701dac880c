import pg from 'pg';
import { compareWithRecorded } from '../../src/ledger/record/record-transaction.ts';
import type { RecordOutcome, RecordResult } from '../../src/ledger/record/transaction-recorder.ts';
import type { AccountTransaction, Transaction } from '../../src/ledger/transaction.ts';
import { RECORDED_COLUMNS, recordedValues } from '../../src/ledger/transaction-columns.ts';
import { PENDING } from '../../src/values/status.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { type ClosingRecorder, REFUSED_CURRENCIES } from './postgres-database.ts';

/** Indexes that do not refuse a repeated number, so that the schedules have to notice it. */
export const ALLOW_REPEATED_NUMBERS = `DROP INDEX transactions_by_pending_sequence, transactions_by_final_sequence;
CREATE INDEX ON transactions (account, pending_sequence) WHERE pending_sequence IS NOT NULL;
CREATE INDEX ON transactions (account, final_sequence) WHERE final_sequence IS NOT NULL`;

/** Runs a statement whose only parameter is the account, and returns the number of its first row. */
type Read = (sql: string) => Promise<number>;

/** Where a store takes its numbers from, in the transaction of the database that records. */
interface Numbering {
  /** Locks the account, and perhaps takes the number that its next change gets. */
  lock(read: Read): Promise<number>;
  /** The number of a change that is written next. */
  take(read: Read, taken: number): Promise<number>;
}

const LOCK = 'SELECT 0 FROM accounts WHERE account = $1 FOR UPDATE';
const NEXT_AFTER_HEAD = 'SELECT head_sequence + 1 FROM accounts WHERE account = $1';
const LOCK_AND_MAXIMUM = `SELECT coalesce((SELECT max(greatest(pending_sequence, final_sequence))
  FROM transactions WHERE account = $1), 0) + 1 FROM accounts WHERE account = $1 FOR UPDATE`;
/** A sequence of each account. */
const NEXT_OF_SEQUENCE = `SELECT nextval(quote_ident('numbers ' || $1)::regclass)`;

export const RIGHT_NUMBERING: Numbering = {
  lock: (read) => read(LOCK),
  take: (read) => read(NEXT_AFTER_HEAD),
};

/** What a reader sees of it depends on its page: both changes, one after the other, or a head that is too low for both. */
const GIVEN_TWICE = /a number is given twice|a change became another|changes are acknowledged, but the head/;
const MISSING = /number \d+ is missing, although \d+ is visible/;

/** Each gives wrong numbers, and breaks one of the promises. */
export const WRONG_NUMBERINGS: Record<string, { numbering: Numbering; broken: RegExp }> = {
  'numbers of a sequence, which are given in another order than they become visible': {
    numbering: { lock: async () => 0, take: (read) => read(NEXT_OF_SEQUENCE) },
    broken: MISSING,
  },
  'a lock and the maximum in one statement, which reads what was there before its wait': {
    numbering: { lock: (read) => read(LOCK_AND_MAXIMUM), take: async (_, taken) => taken },
    broken: GIVEN_TWICE,
  },
  'numbers that are given before the lock': {
    numbering: {
      lock: async (read) => {
        const number = await read(NEXT_AFTER_HEAD);
        await read(LOCK);
        return number;
      },
      take: async (_, taken) => taken,
    },
    broken: GIVEN_TWICE,
  },
  'numbers that survive a rollback': {
    numbering: { lock: (read) => read(LOCK), take: (read) => read(NEXT_OF_SEQUENCE) },
    broken: MISSING,
  },
};

const MAKE_ACCOUNT = (account: string) => `SELECT pg_advisory_xact_lock(1);
INSERT INTO accounts (account, head_sequence) VALUES ('${account}', 0) ON CONFLICT DO NOTHING;
CREATE SEQUENCE IF NOT EXISTS "numbers ${account}"`;
const RETRIEVE = `SELECT reference, merchant_reference AS "merchantReference", status, amount_minor::float AS "amountMinor",
  currency_code AS "currencyCode", paid_at_ms::float AS "paidAtMs", created_at_ms::float AS "createdAtMs"
  FROM transactions WHERE account = $1 AND reference = $2`;
const INSERT = `INSERT INTO transactions (${RECORDED_COLUMNS.join(', ')},
  pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
  VALUES (${RECORDED_COLUMNS.map((_, index) => `$${index + 1}`).join(', ')}, ${[1, 2, 2, 3, 4, 4].map((nth) => `$${RECORDED_COLUMNS.length + nth}`).join(', ')})`;
const ADVANCE = `UPDATE transactions SET status = $3, paid_at_ms = $4, final_sequence = $5, final_recorded_at_ms = 1, final_nonce = 1
  WHERE account = $1 AND reference = $2`;
const STORE_HEAD = 'UPDATE accounts SET head_sequence = greatest(head_sequence, $2) WHERE account = $1';

/** A recorder on a connection of its own, which records one row after the other, with numbers from somewhere. */
export class NumberingRecorder implements ClosingRecorder {
  readonly #url: string;
  readonly #numbering: Numbering;
  readonly #accounts = new Set<string>();
  #client: pg.Client | undefined;

  constructor(url: string, numbering: Numbering) {
    this.#url = url;
    this.#numbering = numbering;
  }

  async recordTransactions(transactions: readonly AccountTransaction[]): Promise<RecordResult[]> {
    const results: RecordResult[] = [];
    for (const transaction of transactions) {
      try {
        results.push(await this.#record(transaction));
      } catch (cause) {
        // The table refuses a final number below the pending one. The caller learns nothing, so that the feed must show the fault.
        const isRefused = REFUSED_CURRENCIES.includes(transaction.currencyCode);
        const error = isRefused
          ? cause
          : new StoreUnavailable('database_error', 'the recording failed', { cause });
        results.push({ outcome: 'failed', error });
      }
    }
    return results;
  }

  async importBatch(transactions: readonly AccountTransaction[]) {
    return (await this.recordTransactions(transactions)) as Awaited<
      ReturnType<ClosingRecorder['importBatch']>
    >;
  }

  recordHeld(): Promise<never> {
    return Promise.reject(new Error('this store reports no row as held'));
  }

  /** Without keys: each request is a transaction of its own. */
  async recordOnce(transaction: AccountTransaction) {
    const [result] = await this.recordTransactions([transaction]);
    if (result?.outcome === 'failed') throw result.error;
    if (result?.outcome !== 'recorded') throw new Error('a reference was assigned that exists already');
    return { ...result, outcome: 'recorded' as const, reference: transaction.reference };
  }

  async close() {
    await this.#client?.end();
  }

  async #record(transaction: AccountTransaction): Promise<RecordOutcome> {
    const { account, reference, status, paidAtMs } = transaction;
    const client = await this.#connected();
    if (!this.#accounts.has(account)) await client.query(MAKE_ACCOUNT(account));
    this.#accounts.add(account);
    const read: Read = async (text) => {
      const { rows } = await client.query({ text, values: [account], rowMode: 'array' });
      return Number(rows[0]?.[0]);
    };
    await client.query('BEGIN');
    try {
      const taken = await this.#numbering.lock(read);
      const { rows } = await client.query<Transaction>(RETRIEVE, [account, reference]);
      const [recorded] = rows;
      const comparison = recorded && compareWithRecorded(recorded, transaction);
      let outcome: RecordOutcome;
      if (comparison && comparison.outcome !== 'changed') outcome = comparison;
      else {
        const number = await this.#numbering.take(read, taken);
        const numbers = status === PENDING ? [number, 1, null, null] : [null, null, number, 1];
        if (recorded === undefined) await client.query(INSERT, [...recordedValues(transaction), ...numbers]);
        else await client.query(ADVANCE, [account, reference, status, paidAtMs, number]);
        await client.query(STORE_HEAD, [account, number]);
        outcome = { outcome: recorded === undefined ? 'recorded' : 'changed', sequence: number, nonce: 1 };
      }
      await client.query('COMMIT');
      return outcome;
    } catch (error) {
      // A connection that was killed has rolled back already.
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client = new pg.Client({ connectionString: this.#url });
    client.on('error', () => {
      this.#client = undefined;
    });
    await client.connect();
    this.#client = client;
    return client;
  }
}
