import type pg from 'pg';
import { StoreRefused } from '../../../values/store-errors.ts';
import { type Unmigrated, unappliedOf } from '../../db/migrations.ts';
import { isCitus } from '../../db/postgres/citus.ts';
import {
  arrayQuery,
  asRefused,
  connectToPrimary,
  LIST_SETTINGS,
  LIST_SETTINGS_ON_CITUS,
  parsePostgresUrl,
  type SessionLimits,
} from '../../db/postgres/driver/index.ts';
import { appliedMigrations, MIGRATIONS } from '../../db/postgres/migrate.ts';
import type { VerifyReader } from '../verify-reader.ts';
import { PostgresVerifyReader, type VerifyReaderOptions } from './verify-reader.ts';

/** No request waits for these statements, so the limits can be long. */
export const LIMITS: SessionLimits = {
  statementTimeoutMs: 60_000,
  connectTimeoutMs: 10_000,
  lockTimeoutMs: 30_000,
  idleInTransactionTimeoutMs: 60_000,
};

export async function openPostgresVerifyReader(url: string): Promise<{ reader: VerifyReader } | Unmigrated> {
  return openReader(url, 'Verify', (options) => new PostgresVerifyReader(options));
}

export async function openReader<Reader>(
  url: string,
  verb: 'Verify' | 'Copy',
  readerOf: (options: VerifyReaderOptions) => Reader,
): Promise<{ reader: Reader } | Unmigrated> {
  const address = parsePostgresUrl(url);
  let client: pg.Client | undefined;
  try {
    const connected = await connectToPrimary(address, { ...LIMITS, planSettings: LIST_SETTINGS });
    client = connected.client;
    if (verb === 'Copy' && connected.inRecovery)
      throw new StoreRefused(
        'the server is a standby, and can lack what its primary has recorded. Name the primary.',
      );
    const applied = await appliedMigrations(client);
    const needed = unappliedOf(MIGRATIONS, applied);
    if (needed !== undefined) {
      await client.end();
      return needed;
    }
    await refuseRoleThatSeesLess(client, verb);
    const isDistributed = await isCitus(client);
    if (isDistributed)
      await client.query(`SET plan_cache_mode = '${LIST_SETTINGS_ON_CITUS['plan_cache_mode']}'`);
    const { missingSettings } = connected;
    return { reader: readerOf({ client, applied, isDistributed, missingSettings }) };
  } catch (error) {
    client?.end().catch(() => {});
    throw asRefused(error);
  }
}

/** Refuses a role to which row-level security applies, because such a role sees empty tables. */
export async function refuseRoleThatSeesLess(
  client: pg.Client,
  verb: 'Archive' | 'Copy' | 'Erase' | 'Verify',
): Promise<void> {
  const { rows } = await client.query<[number]>(
    arrayQuery(`SELECT row_security_active('transactions')::int`),
  );
  if (rows[0]?.[0] === 1)
    throw new StoreRefused(
      `row-level security hides rows from this user. ${verb} as the role that owns the tables.`,
    );
}
