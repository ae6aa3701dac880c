import { hash } from 'node:crypto';
import { type RecordResult, recordOnce } from '../../src/ledger/record/record.ts';
import { GroupCommit } from '../../src/ledger/record/request-recorder.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { ImportOutcome } from '../../src/operate/import/import-connection.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { transaction } from '../rig/data/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import type { Acknowledgement, Attempt, Oracle } from './oracle.ts';
import type { Recorder, ScheduleDatabase } from './schedule-database.ts';

/** Few references, so that recorders often use the same transactions. */
export const REFERENCES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export interface Schedule {
  database: ScheduleDatabase;
  oracles: Oracle[];
  newReference(): string;
}

/** New, pending, completing, contradicting and refused transactions. Recorders share most references. */
export function randomTransaction({ oracles, database }: Schedule, random: Random): AccountTransaction {
  const reference = random.pick(REFERENCES);
  const fields = {
    status: random.chance(0.5) ? 'pending' : 'completed',
    amountMinor: reference.charCodeAt(0) + (random.chance(0.1) ? 1 : 0),
    ...(random.chance(0.05) && { currencyCode: random.pick(database.refusedCurrencies) }),
  };
  return transaction(random.pick(oracles).account, reference, fields);
}

export function differentTransactions(
  schedule: Schedule,
  random: Random,
  count: number,
): AccountTransaction[] {
  const all = Array.from({ length: count }, () => randomTransaction(schedule, random));
  return [...new Map(all.map((one) => [`${one.account} ${one.reference}`, one])).values()];
}

/** Records with one recorder as the service does, and notes what its callers learn. */
export class Recording {
  readonly #schedule: Schedule;
  readonly #recorder: Recorder;
  readonly #group: GroupCommit;
  readonly #attempts = new Map<AccountTransaction, Attempt>();

  constructor(schedule: Schedule, recorder: Recorder) {
    this.#schedule = schedule;
    this.#recorder = recorder;
    this.#group = new GroupCommit(
      {
        record: async (transactions, alone) => {
          const results = await recorder.record(transactions, alone);
          if (alone === undefined) this.#noteOrder(transactions, results);
          return results;
        },
      },
      async () => {},
    );
  }

  /** A repeated transaction is recorded in a later group. */
  async record(transactions: readonly AccountTransaction[]): Promise<void> {
    await Promise.all(
      transactions.map((transaction) =>
        this.#note(transaction, async () => (await this.#group.record(transaction)).outcome),
      ),
    );
  }

  async importBatch(transactions: readonly AccountTransaction[]): Promise<void> {
    const batch = this.#recorder.importBatch(transactions);
    await Promise.all(
      transactions.map((transaction, index) =>
        this.#note(transaction, async () => {
          const outcome = (await batch)[index] as ImportOutcome;
          if (outcome.outcome === 'failed') throw outcome.error;
          return outcome.outcome;
        }),
      ),
    );
  }

  /** Equal requests have the same key and the same transaction, except for its reference. */
  async recordOnce(random: Random): Promise<void> {
    const oracle = random.pick(this.#schedule.oracles);
    const key = random.pick(['key-1', 'key-2']);
    const amountMinor = random.chance(0.8) ? 1 : 2;
    const { account } = oracle;
    const row = transaction(account, this.#schedule.newReference(), { amountMinor });
    const fingerprint = hash('sha256', String(amountMinor));
    await this.#note(row, async () => {
      const result = await recordOnce(this.#recorder, row, { key, fingerprint });
      if (result.outcome !== 'recorded' && result.outcome !== 'repeated') return 'refused';
      const { reference } = result;
      const acknowledged = result.outcome === 'recorded' ? 'recorded' : 'present';
      if (reference === row.reference) return acknowledged;
      // This request equals the earlier request with the key, so each of the two can have recorded it.
      const { beganAt } = this.#attempts.get(row) as Attempt;
      oracle.noteEnd(oracle.noteSent({ ...row, reference }, beganAt), acknowledged);
      return 'refused';
    });
  }

  async #note(transaction: AccountTransaction, work: () => Promise<Acknowledgement>): Promise<void> {
    const oracle = this.#oracleOf(transaction);
    const attempt = oracle.noteSent(transaction);
    this.#attempts.set(transaction, attempt);
    let acknowledged: Acknowledgement;
    try {
      acknowledged = await work();
    } catch (error) {
      if (error instanceof StoreUnavailable) acknowledged = 'unknown';
      else if (this.#schedule.database.refusedCurrencies.includes(transaction.currencyCode))
        acknowledged = 'refused';
      else throw error;
    }
    oracle.noteEnd(attempt, acknowledged);
  }

  #noteOrder(transactions: readonly AccountTransaction[], results: readonly RecordResult[]): void {
    const isTogether = results.every(({ outcome }) => outcome !== 'held' && outcome !== 'failed');
    if (!isTogether || !this.#schedule.database.ordersGroups) return;
    for (const oracle of this.#schedule.oracles) {
      const numbered = transactions.filter(
        ({ account }, index) =>
          account === oracle.account && /^(recorded|changed)$/.test(results[index]?.outcome ?? ''),
      );
      oracle.noteOrder(numbered.map((one) => this.#attempts.get(one) as Attempt));
    }
  }

  #oracleOf({ account }: AccountTransaction): Oracle {
    return this.#schedule.oracles.find((oracle) => oracle.account === account) as Oracle;
  }
}
