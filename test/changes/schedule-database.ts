import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { TransactionRecorder } from '../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { ImportConnection, ImportOutcome } from '../../src/operate/import/import-connection.ts';
import { openStore } from '../../src/store/open-store.ts';
import { tagged } from '../rig/database/isolation.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import type { Random } from '../rig/run/random.ts';

const RECORDERS = 4;
const TIMEOUT_MS = 2000;
const READ_TIMEOUT_MS = 60_000;
const PAUSE_MS = 3;
const MAX_LOOKS = 4;
const MAX_LOOKS_FOR_TIMEOUT = 40;

const REFUSED_CURRENCY = 'eur';
const REFUSED_AT_COMMIT = 'XTS';

const REFUSE_AT_COMMIT = `
CREATE FUNCTION refuse_at_commit() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'refused at commit' USING ERRCODE = 'check_violation'; END $$;
CREATE CONSTRAINT TRIGGER refused_at_commit AFTER INSERT ON transactions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (new.currency_code = '${REFUSED_AT_COMMIT}') EXECUTE FUNCTION refuse_at_commit()`;

export async function prepareDatabase(databaseUrl: string): Promise<void> {
  const { store } = await openStore(databaseUrl, Date.now);
  await store.close();
  if (!(await isOnCitus(databaseUrl))) await queryPostgres(databaseUrl, REFUSE_AT_COMMIT);
}

const isOnCitus = async (databaseUrl: string) =>
  (await queryPostgres(databaseUrl, "SELECT 1 FROM pg_extension WHERE extname = 'citus'")).length === 1;

/** These statements have no parameters, because Citus finds a shard only by values in the text. */
const HOLDS: ((account: string, references: readonly string[]) => string)[] = [
  (account) => `SELECT head_sequence FROM accounts WHERE account = '${account}' FOR UPDATE`,
  (account) =>
    `INSERT INTO accounts (account, head_sequence) VALUES ('${account}', 0) ON CONFLICT (account) DO NOTHING`,
  (account, references) =>
    `SELECT reference FROM transactions WHERE account = '${account}' AND reference IN (${references.map((one) => `'${one}'`)}) FOR UPDATE`,
  (account, references) =>
    `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, created_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce)
     VALUES ${references.map((one, index) => `('${account}', '${one}', 'pending', 5, 'EUR', 1, ${1_000_000 + index}, 1, 1)`)} ON CONFLICT DO NOTHING`,
];

const endOne = (how: 'pg_cancel_backend' | 'pg_terminate_backend') =>
  `SELECT ${how}(pid) FROM pg_stat_activity WHERE application_name = $1
   ORDER BY wait_event_type = 'Lock' DESC NULLS LAST, state = 'active' DESC NULLS LAST LIMIT 1`;

const ONE_WAITS =
  "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock' LIMIT 1";

export interface Recorder extends TransactionRecorder {
  importBatch(transactions: readonly AccountTransaction[]): Promise<ImportOutcome[]>;
  close(): Promise<void>;
}

async function openRecorder(url: string, onHeld: () => void): Promise<Recorder> {
  const { store } = await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 1, records: true });
  let importing: ImportConnection | undefined;
  return {
    record: (transactions, alone) => {
      if (alone?.waits) onHeld();
      return store.record(transactions, alone);
    },
    importBatch: async (transactions) => {
      importing ??= await store.openImport();
      const connection = importing;
      try {
        return (await connection.recordTransactions(transactions)).outcomes;
      } catch (error) {
        importing = undefined;
        await connection.close();
        throw error;
      }
    },
    close: async () => {
      await importing?.close();
      await store.close();
    },
  };
}

export type ScheduleDatabase = Awaited<ReturnType<typeof openScheduleDatabase>>;

export async function openScheduleDatabase(databaseUrl: string, name: string) {
  const onCitus = await isOnCitus(databaseUrl);
  const disturber = new Disturber(name);
  await disturber.connect(databaseUrl);
  const url = `${databaseUrl}?application_name=${name}`;
  const recorders = await Promise.all(
    Array.from({ length: RECORDERS }, () => openRecorder(url, () => disturber.noteHeld())),
  );
  const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: READ_TIMEOUT_MS, connections: 1 });
  return {
    recorders,
    reader: store,
    refusedCurrencies: onCitus ? [REFUSED_CURRENCY] : [REFUSED_CURRENCY, REFUSED_AT_COMMIT],
    begin: (random: Random) => {
      disturber.random = random;
    },
    disturb: (account: string, references: readonly string[]) => disturber.disturb(account, references),
    pause: () => delay(PAUSE_MS),
    close: async () => {
      await Promise.all([...recorders, store, disturber].map((one) => one.close()));
    },
  };
}

class Disturber {
  random: Random | undefined;
  readonly #name: string;
  #holder: pg.Client | undefined;
  #held = false;

  constructor(name: string) {
    this.#name = name;
  }

  async connect(databaseUrl: string): Promise<void> {
    this.#holder = new pg.Client({ connectionString: databaseUrl });
    await this.#holder.connect();
  }

  noteHeld(): void {
    this.#held = true;
  }

  async disturb(account: string, references: readonly string[]): Promise<void> {
    const random = this.random as Random;
    const holder = this.#holder as pg.Client;
    const kind = random.integer(1, 10);
    if (kind <= 2) return this.#endOne(random);
    await holder.query('BEGIN');
    try {
      const hold = random.pick(HOLDS);
      await holder.query(
        hold(
          account,
          references.map((reference) => tagged(account, reference)),
        ),
      );
      for (let looks = 0; looks < MAX_LOOKS && !(await this.#oneWaits()); looks++) await delay(1);
      if (kind <= 5) await this.#endOne(random);
      else if (kind <= 6) await this.#untilTimeout();
    } finally {
      await holder.query('ROLLBACK');
    }
  }

  async close(): Promise<void> {
    await this.#holder?.end();
  }

  async #untilTimeout(): Promise<void> {
    this.#held = false;
    for (let looks = 0; looks < MAX_LOOKS_FOR_TIMEOUT && !this.#held; looks++) {
      if (!(await this.#oneWaits())) return;
      await delay(5);
    }
  }

  async #oneWaits(): Promise<boolean> {
    const { rowCount } = await (this.#holder as pg.Client).query(ONE_WAITS, [this.#name]);
    return rowCount === 1;
  }

  async #endOne(random: Random): Promise<void> {
    const how = random.pick(['pg_cancel_backend', 'pg_terminate_backend'] as const);
    await this.#holder?.query(endOne(how), [this.#name]);
  }
}
