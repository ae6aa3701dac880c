import { sizeOf } from './check-machine.ts';
import { type Finding, ok, unknown, warning, wrong } from './finding.ts';

/** A value is null if the role may not see it. */
export interface StandbyFacts {
  name: string;
  state: string | null;
  behindBytes: number | null;
  repliedMsAgo: number | null;
}

export interface ReplicationFacts {
  standbys: readonly StandbyFacts[];
  /** Replication slots whose standby is not connected. Such a slot keeps write-ahead log. */
  idleSlots: readonly { name: string; keptBytes: number }[];
  archive: { archivedMsAgo: number | null; failedMsAgo: number | null } | null;
}

export interface DoctorFacts extends ReplicationFacts {
  role: string;
  isSuperuser: boolean;
  missing: { serving: readonly string[]; recording: readonly string[] };
  isEncrypted: boolean;
  isPlainTextMeant: boolean;
  isLocal: boolean;
  /** True if a pooler in front of the server dropped the options of the session. */
  isPooled: boolean;
  missingTimeouts: readonly string[];
  /** Null if the role may not read the settings. */
  durability: { isFsyncOn: boolean; hasStandbys: boolean; waits: boolean } | null;
  amcheck: 'usable' | 'missing' | 'forbidden' | 'distributed';
  databaseBytes: number;
}

interface DoctorSettings {
  records: boolean;
  acceptsAsynchronous: boolean;
}

export const checkDatabase = (facts: DoctorFacts, settings: DoctorSettings): Finding[] => [
  checkRole(facts, settings),
  checkEncryption(facts),
  checkPooler(facts),
  checkDurability(facts, settings),
  ...checkStandbys(facts),
  checkAmcheck(facts),
  ...checkArchive(facts),
  unknown(
    'disk',
    `the database has ${sizeOf(facts.databaseBytes)}; its server does not say what is free`,
    'watch the disk on the machine of the server',
  ),
];

function checkRole({ role, isSuperuser, missing }: DoctorFacts, { records }: DoctorSettings): Finding {
  const lacking = records ? [...new Set([...missing.serving, ...missing.recording])] : missing.serving;
  if (lacking.length > 0)
    return wrong(
      'role',
      `${role} lacks ${lacking.join(', ')}`,
      records
        ? "serve the operator's interface as the role that owns the tables"
        : `run "transactions migrate --grant-to ${role}" as the owner of the tables`,
    );
  if (isSuperuser)
    return warning(
      'role',
      `${role} is a superuser`,
      'run the service as the owner of the tables. Processes that only serve lists can use a role with fewer rights (docs/postgresql.md, "Two roles")',
    );
  return ok(
    'role',
    `${role} may ${missing.recording.length === 0 ? 'serve and record' : 'serve, but not record'}`,
  );
}

function checkEncryption({ isEncrypted, isLocal, isPlainTextMeant }: DoctorFacts): Finding {
  if (isEncrypted) return ok('encryption', 'the connection to the server is encrypted');
  if (isLocal) return ok('encryption', 'the server is on this machine');
  if (isPlainTextMeant) return ok('encryption', 'none, as sslmode=disable says');
  return warning(
    'encryption',
    'the connection to the server is in plain text',
    'write sslmode=verify-full into DATABASE_URL',
  );
}

function checkPooler({ isPooled, missingTimeouts, role }: DoctorFacts): Finding {
  if (missingTimeouts.length > 0)
    return warning(
      'pooler',
      `it drops the settings of its sessions, and ${missingTimeouts.join(', ')} ${missingTimeouts.length === 1 ? 'is' : 'are'} off`,
      `set them with ALTER ROLE ${role} SET (docs/postgresql.md, "Poolers")`,
    );
  return ok(
    'pooler',
    isPooled
      ? 'it drops the settings of its sessions, and the role has them'
      : 'the settings of sessions reach the server',
  );
}

function checkDurability({ durability }: DoctorFacts, { acceptsAsynchronous }: DoctorSettings): Finding {
  if (durability === null)
    return unknown('durability', 'the role may not read it', 'run this command as the owner of the tables');
  const { isFsyncOn, hasStandbys, waits } = durability;
  if (!isFsyncOn)
    return wrong('durability', 'fsync is off: a power failure can lose or damage any data', 'set fsync = on');
  if (!hasStandbys) return ok('durability', 'commits wait for the disk; there is no standby');
  if (waits) return ok('durability', 'commits wait for the disk and for a standby');
  if (acceptsAsynchronous)
    return ok('durability', 'commits do not wait for a standby, as ASYNCHRONOUS_STANDBYS accepts');
  return warning(
    'durability',
    'commits do not wait for a standby: a failover loses the last acknowledged writes',
    'set synchronous_standby_names, or ASYNCHRONOUS_STANDBYS=accepted (docs/postgresql.md, "What an acknowledged write is worth")',
  );
}

/** The size of a write-ahead log segment. The alert TransactionsStandbyBehind has the same limit. */
const MAX_BEHIND_BYTES = 16 * 1024 * 1024;
/** Three times the default of wal_receiver_status_interval. */
const MAX_SILENT_MS = 30_000;

function checkStandbys({ standbys, idleSlots }: DoctorFacts): Finding[] {
  const findings = [
    ...standbys.map(checkStandby),
    ...idleSlots.map(({ name, keptBytes }) =>
      warning(
        'standbys',
        `${name}: away, and its slot keeps ${sizeOf(keptBytes)} of the write-ahead log`,
        'start the standby, or drop the slot before the log fills the disk',
      ),
    ),
  ];
  return findings.length > 0 ? findings : [ok('standbys', 'none')];
}

function checkStandby({ name, state, behindBytes, repliedMsAgo }: StandbyFacts): Finding {
  if (state === null || behindBytes === null)
    return unknown(
      'standbys',
      'there is one, and the role may not see its lag',
      'run this command as a role with pg_monitor',
    );
  const silentMs = repliedMsAgo ?? 0;
  const found = `${name}: ${state}, ${sizeOf(behindBytes)} behind, heard ${Math.round(silentMs / 1000)} s ago`;
  return behindBytes > MAX_BEHIND_BYTES || silentMs > MAX_SILENT_MS || state !== 'streaming'
    ? warning(
        'standbys',
        found,
        'look at the log of the standby and at its network: a failover to it takes longer, and can lose more',
      )
    : ok('standbys', found);
}

function checkAmcheck({ amcheck, missing }: DoctorFacts): Finding {
  const todo =
    'as a superuser, run CREATE EXTENSION amcheck, and GRANT EXECUTE ON its functions to the owner of the tables';
  switch (amcheck) {
    case 'usable':
      return ok('amcheck', '"transactions verify" can compare indexes with their tables');
    case 'distributed':
      return unknown(
        'amcheck',
        'the tables are on the workers',
        'run "pg_amcheck --heapallindexed" on each of their databases',
      );
    case 'missing':
      return warning(
        'amcheck',
        'not there: "transactions verify" cannot compare indexes with their tables',
        todo,
      );
    case 'forbidden':
      if (missing.recording.length > 0)
        return ok('amcheck', 'for the owner of the tables, which runs "transactions verify"');
      return warning(
        'amcheck',
        'this role may not use it: "transactions verify" as this role cannot compare indexes with their tables',
        todo,
      );
  }
}

export const isArchiveFailing = ({ archivedMsAgo, failedMsAgo }: NonNullable<ReplicationFacts['archive']>) =>
  failedMsAgo !== null && failedMsAgo < (archivedMsAgo ?? Infinity);

function checkArchive({ archive }: DoctorFacts): Finding[] {
  if (archive === null) return [];
  const { archivedMsAgo } = archive;
  const todo =
    'read the log of the server, and correct archive_command: what is not archived cannot be restored, and fills the disk';
  if (isArchiveFailing(archive))
    return [wrong('archive', 'the last attempt to archive the write-ahead log failed', todo)];
  return [
    ok(
      'archive',
      archivedMsAgo === null
        ? 'nothing was archived yet'
        : `the write-ahead log was archived ${Math.round(archivedMsAgo / 1000)} s ago`,
    ),
  ];
}
