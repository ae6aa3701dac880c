import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import type { VerifiedStore } from '../../verify/healthy-database.ts';
import { DAY, record, transaction } from '../data/transactions.ts';
import { archive } from './archive.ts';
import { erase } from './erase.ts';

export const ACCOUNT = 'store-1';
/** Transactions created before this time are archived. */
const ARCHIVED_BEFORE = DAY('2026-03-05');

const row = (name: string, fields: Partial<AccountTransaction> = {}) =>
  transaction(ACCOUNT, name, { merchantReference: 'order-1', ...fields });

const OLD = row('old');
const OLD_USD = row('old-usd', { currencyCode: 'USD', createdAtMs: DAY('2026-03-02') });
const WAITING = row('waiting', { status: 'pending' });
const LATE = row('late', { createdAtMs: DAY('2026-03-05'), merchantReference: 'order-2' });

export interface AccountState {
  /** All transactions of the account. */
  rows: readonly AccountTransaction[];
  headSequence: number;
  /** 0 without an archive. */
  floorSequence: number;
}

interface Preparing {
  url: string;
  store: VerifiedStore;
  folder: string;
}

type Prepare = (database: Preparing) => Promise<AccountState>;

async function archiveOld({ url, store, folder }: Preparing): Promise<void> {
  await archive([ACCOUNT], { url, store, folder, beforeMs: ARCHIVED_BEFORE });
}

/** The states in which an account has fewer rows than its numbers say. */
export const ACCOUNT_STATES: Readonly<Record<string, Prepare>> = {
  'nothing was recorded yet': async () => ({ rows: [], headSequence: 0, floorSequence: 0 }),
  'the last change is archived': async (database) => {
    await record(database.store, [WAITING, OLD, OLD_USD]);
    await archiveOld(database);
    return { rows: [WAITING], headSequence: 3, floorSequence: 3 };
  },
  'everything is archived': async (database) => {
    await record(database.store, [OLD, OLD_USD]);
    await archiveOld(database);
    return { rows: [], headSequence: 2, floorSequence: 2 };
  },
  'everything is archived, and one more was recorded': async (database) => {
    await record(database.store, [OLD, OLD_USD]);
    await archiveOld(database);
    await record(database.store, [LATE]);
    return { rows: [LATE], headSequence: 3, floorSequence: 2 };
  },
  'the account is erased': async ({ url, store }) => {
    await record(store, [OLD, OLD_USD]);
    await erase(url, ACCOUNT, { store });
    return { rows: [], headSequence: 0, floorSequence: 0 };
  },
  'the account is erased and recorded again': async ({ url, store }) => {
    await record(store, [OLD, OLD_USD, WAITING]);
    await erase(url, ACCOUNT, { store });
    await record(store, [OLD_USD, LATE]);
    return { rows: [OLD_USD, LATE], headSequence: 2, floorSequence: 0 };
  },
  'an archived account is erased and recorded again': async (database) => {
    await record(database.store, [OLD, OLD_USD]);
    await archiveOld(database);
    await erase(database.url, ACCOUNT, database);
    await record(database.store, [WAITING, OLD]);
    return { rows: [WAITING, OLD], headSequence: 2, floorSequence: 0 };
  },
};
