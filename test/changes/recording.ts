import { hash } from 'node:crypto';
import { BY_KEY } from '../../proof/judge/history.ts';
import { changeId } from '../../src/ledger/changes/change.ts';
import { type RecordOnceOutcome, type RecordOutcome, recordOnce } from '../../src/ledger/record/record.ts';
import { GroupCommit } from '../../src/ledger/record/request-recorder.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { formatTransaction } from '../../src/ledger/transaction-fields.ts';
import type { ImportOutcome } from '../../src/operate/import/import-connection.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { transaction } from '../rig/data/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import type { Recorder, ScheduleDatabase } from './schedule-database.ts';
import type { Seen } from './seen.ts';

export const REFERENCES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export interface Schedule {
  database: ScheduleDatabase;
  accounts: string[];
  seen: Seen;
  newReference(): string;
}

export function randomTransaction({ accounts, database }: Schedule, random: Random): AccountTransaction {
  const reference = random.pick(REFERENCES);
  const fields = {
    status: random.chance(0.5) ? 'pending' : 'completed',
    amountMinor: reference.charCodeAt(0) + (random.chance(0.1) ? 1 : 0),
    ...(random.chance(0.05) && { currencyCode: random.pick(database.refusedCurrencies) }),
  };
  return transaction(random.pick(accounts), reference, fields);
}

export function differentTransactions(
  schedule: Schedule,
  random: Random,
  count: number,
): AccountTransaction[] {
  const all = Array.from({ length: count }, () => randomTransaction(schedule, random));
  return [...new Map(all.map((one) => [`${one.account} ${one.reference}`, one])).values()];
}

export class Recording {
  readonly #schedule: Schedule;
  readonly #recorder: Recorder;
  readonly #group: GroupCommit;

  constructor(schedule: Schedule, recorder: Recorder) {
    this.#schedule = schedule;
    this.#recorder = recorder;
    this.#group = new GroupCommit(recorder, async () => {});
  }

  async record(transactions: readonly AccountTransaction[]): Promise<void> {
    await Promise.all(
      transactions.map((transaction) => this.#note(transaction, () => this.#group.record(transaction))),
    );
  }

  async importBatch(transactions: readonly AccountTransaction[]): Promise<void> {
    const batch = this.#recorder.importBatch(transactions);
    await Promise.all(
      transactions.map((transaction, index) =>
        this.#note(transaction, async () => {
          const outcome = (await batch)[index] as ImportOutcome;
          if (outcome.outcome === 'failed') throw outcome.error;
          return outcome;
        }),
      ),
    );
  }

  async recordOnce(random: Random): Promise<void> {
    const account = random.pick(this.#schedule.accounts);
    const key = random.pick(['key-1', 'key-2']);
    const amountMinor = random.chance(0.8) ? 1 : 2;
    const fields = { amountMinor, merchantReference: `${BY_KEY} ${key}` };
    const row = transaction(account, this.#schedule.newReference(), fields);
    const fingerprint = hash('sha256', String(amountMinor));
    await this.#note(row, () => recordOnce(this.#recorder, row, { key, fingerprint }), key);
  }

  async #note(
    given: AccountTransaction,
    work: () => Promise<RecordOutcome | RecordOnceOutcome>,
    key?: string,
  ): Promise<void> {
    const shown = formatTransaction(given);
    await this.#schedule.seen.note(given.account, async () => {
      const told = {
        op: 'record' as const,
        given: key === undefined ? shown : { ...shown, reference: null },
        ...(key !== undefined && { key }),
      };
      try {
        return { ...told, ...outcomeOf(given, await work()) };
      } catch (error) {
        if (error instanceof StoreUnavailable) return { ...told, outcome: 'unknown' };
        // This currency must be refused. Nothing is noted here, so a recorded row would be a violation.
        if (this.#schedule.database.refusedCurrencies.includes(given.currencyCode)) return undefined;
        throw error;
      }
    });
  }
}

function outcomeOf(given: AccountTransaction, result: RecordOutcome | RecordOnceOutcome) {
  const { outcome } = result;
  if (outcome === 'not_recorded') throw new Error('no request only repeats another one');
  if (outcome === 'key_reused') return { outcome: 'key reused' as const };
  const shown = 'reference' in result && {
    shown: formatTransaction({ ...given, reference: result.reference }),
  };
  if (outcome === 'repeated') return { outcome: 'recorded' as const, isReplayed: true, ...shown };
  if (outcome !== 'recorded' && outcome !== 'changed') return { outcome };
  return { outcome, sequence: result.sequence, id: changeId(given.account, result), ...shown };
}
