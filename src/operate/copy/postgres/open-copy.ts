import type pg from 'pg';
import type { Unmigrated } from '../../../db/migrations.ts';
import { isCitus } from '../../../db/postgres/citus.ts';
import {
  connectToPrimary,
  explainPostgresError,
  parsePostgresUrl,
  RECORDING_SETTINGS,
  RECORDING_SETTINGS_ON_CITUS,
} from '../../../db/postgres/driver/index.ts';
import { StoreRefused } from '../../../values/store-errors.ts';
import { LIMITS, openReader, refuseRoleThatSeesLess } from '../../verify/postgres/open-verify-reader.ts';
import type { CopyReader } from '../copy-reader.ts';
import type { CopyTarget } from '../copy-target.ts';
import { lockForCopy } from './copy-lock.ts';
import { PostgresCopyReader } from './copy-reader.ts';
import { PostgresCopyTarget } from './copy-target.ts';

/**
 * Opens a database to copy from it or to compare it, or returns the migrations that it needs first. Changes nothing.
 *
 * Throws: StoreRefused if the database can't be used, or if the role does not see all rows.
 */
export function openPostgresCopyReader(url: string): Promise<{ reader: CopyReader } | Unmigrated> {
  return openReader(url, 'Copy', (options) => new PostgresCopyReader(options));
}

/**
 * Opens a database whose schema is up to date to copy into it.
 *
 * Throws: StoreRefused if the database can't be used, or if another copy writes to it.
 */
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
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(explainPostgresError(error), { cause: error });
  }
}
