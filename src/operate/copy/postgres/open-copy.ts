import pg from 'pg';
import { StoreRefused } from '../../../../values/store-errors.ts';
import type { Unmigrated } from '../../../db/migrations.ts';
import { isCitus } from '../../../db/postgres/citus.ts';
import {
  arrayText,
  asRefused,
  connectToPrimary,
  parsePostgresUrl,
  RECORDING_SETTINGS,
  RECORDING_SETTINGS_ON_CITUS,
} from '../../../db/postgres/driver/index.ts';
import { tryLock } from '../../../db/postgres/migration-lock.ts';
import { LIMITS, openReader, refuseRoleThatSeesLess } from '../../postgres/open-verify-reader.ts';
import { PostgresVerifyReader } from '../../postgres/verify-reader.ts';
import { type StoredRow, type StoredValues, storedRowOf } from '../../stored-rows.ts';
import {
  type AccountHead,
  accountHeadOf,
  type ChangeRange,
  type CopyReader,
  HEADS,
  type HeadValues,
} from '../copy-reader.ts';
import type { CopyTarget } from '../copy-target.ts';
import { READ_CHANGES, READ_CHANGES_ON_CITUS, READ_IDENTITY } from './copy-sql.ts';
import { PostgresCopyTarget } from './copy-target.ts';

export function openPostgresCopyReader(url: string): Promise<{ reader: CopyReader } | Unmigrated> {
  return openReader(url, 'Copy', (options) => new PostgresCopyReader(options));
}

export async function openPostgresCopyTarget(url: string): Promise<CopyTarget> {
  const address = parsePostgresUrl(url);
  const opened: pg.Client[] = [];
  const connect = async (options: { planSettings: Record<string, string>; pipeline: boolean }) => {
    const connected = await connectToPrimary(address, { ...LIMITS, ...options });
    opened.push(connected.client);
    return connected;
  };
  try {
    const { client: lock } = await connect({ planSettings: {}, pipeline: false });
    await refuseRoleThatSeesLess(lock, 'Copy');
    const isOnCitus = await isCitus(lock);
    const planSettings = isOnCitus ? RECORDING_SETTINGS_ON_CITUS : RECORDING_SETTINGS;
    await lockForCopy(lock);
    const { client: writer, missingSettings } = await connect({ planSettings, pipeline: true });
    return new PostgresCopyTarget({ writer, missingSettings, lock, isOnCitus });
  } catch (error) {
    for (const client of opened) client.end().catch(() => {});
    throw asRefused(error);
  }
}

/** 'txnc' in ASCII. */
const LOCK = 0x74786e63;

/** A COMMIT on `client` would release the lock. */
async function lockForCopy(client: pg.Client): Promise<void> {
  if (!(await tryLock(client, LOCK)))
    throw new StoreRefused('another copy writes to it. Wait until that one has ended, or stop it.');
}

class PostgresCopyReader extends PostgresVerifyReader implements CopyReader {
  async readIdentity(): Promise<string> {
    const [[identity]] = (await this.read<[string]>(READ_IDENTITY)) as [[string]];
    return identity;
  }

  listHeads(after: string, upTo: string, limit: number): Promise<AccountHead[]> {
    const [first, last] = [after, upTo].map(pg.escapeLiteral);
    return this.#heads(
      `accounts.account > ${first} AND accounts.account <= ${last} ORDER BY accounts.account LIMIT ${limit}`,
    );
  }

  async findHead(account: string): Promise<AccountHead | undefined> {
    return (await this.#heads(`accounts.account = ${pg.escapeLiteral(account)}`))[0];
  }

  /** `condition` contains literals, because Citus can't plan a query of all shards with parameters. */
  async #heads(condition: string): Promise<AccountHead[]> {
    return (await this.read<HeadValues>(`${HEADS} WHERE ${condition}`)).map(accountHeadOf);
  }

  async readChanges(ranges: readonly ChangeRange[]): Promise<StoredRow[][]> {
    const found: StoredRow[][] = ranges.map(() => []);
    const rows = await this.read<[ordinal: number, ...StoredValues]>(
      this.options.isDistributed ? READ_CHANGES_ON_CITUS : READ_CHANGES,
      [
        arrayText(ranges.map(({ account }) => account)),
        arrayText(ranges.map(({ after }) => after)),
        arrayText(ranges.map(({ upTo }) => upTo)),
      ],
    );
    for (const [ordinal, ...values] of rows) found[ordinal - 1]?.push(storedRowOf(values));
    return found;
  }
}
