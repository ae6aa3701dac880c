import { DAY_MS } from '../../../values/calendar.ts';
import { type Finding, ok, unknown, warning, wrong } from './finding.ts';

const HOUR_MS = 3_600_000;

/** Clocks that use NTP differ by milliseconds. The alert TransactionsClockWrong has the same limit. */
export const MAX_CLOCK_OFFSET_MS = 5000;

export function checkClock(offsetMs: number, isFile: boolean): Finding {
  const seconds = Math.abs(offsetMs / 1000).toFixed(1);
  if (Math.abs(offsetMs) > MAX_CLOCK_OFFSET_MS)
    return wrong(
      'clock',
      `the clock of this machine is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} ${isFile ? 'the last write of the file' : 'that of the database'}`,
      'synchronise the wrong clock over the network (chrony, systemd-timesyncd)',
    );
  return ok(
    'clock',
    isFile
      ? 'not behind the last write of the file'
      : `within ${Math.max(1, Math.ceil(Math.abs(offsetMs / 1000)))} s of that of the database`,
  );
}

/** The alert TransactionsBackupMissed has the same limit. */
const MAX_BACKUP_AGE_MS = 36 * HOUR_MS;

export function checkBackup(path: string, touchedMs: number | undefined, nowMs: number): Finding {
  if (touchedMs === undefined)
    return unknown(
      'backup',
      `there is no file ${path}`,
      'let the job of the backups touch it (docs/backup.md, "Every night"), or name the file that it touches with --backup-file',
    );
  const ageHours = Math.floor((nowMs - touchedMs) / HOUR_MS);
  const found = `the last one was made ${Math.max(0, ageHours)} hours ago (${path})`;
  return nowMs - touchedMs > MAX_BACKUP_AGE_MS
    ? wrong('backup', found, 'read the output of the job, and run it by hand')
    : ok('backup', found);
}

const CERTIFICATE_WARNING_DAYS = 21;

export function checkCertificate(place: string, endsMs: number, nowMs: number): Finding {
  const days = Math.floor((endsMs - nowMs) / DAY_MS);
  const end = new Date(endsMs).toISOString();
  const todo = `renew it (docs/postgresql.md, "TLS")`;
  if (endsMs <= nowMs) return wrong('certificate', `${place}: expired at ${end}`, todo);
  const found = `${place}: ${days} days left, until ${end}`;
  return days < CERTIFICATE_WARNING_DAYS ? warning('certificate', found, todo) : ok('certificate', found);
}

/** The alert TransactionsDiskFull has the same limit. */
const LOW_SHARE = 0.1;
const FULL_SHARE = 0.02;

const ADVICE_IN_MEMORY = {
  'the database': 'move it to a disk: a restart of the machine loses everything',
  'temporary files': 'set SQLITE_TMPDIR to a folder on a disk: an import needs twice the size of its file',
};

export interface Disk {
  folder: string;
  files: keyof typeof ADVICE_IN_MEMORY;
  freeBytes: number;
  totalBytes: number;
  isInMemory: boolean;
}

export function checkDisk({ folder, files, freeBytes, totalBytes, isInMemory }: Disk): Finding {
  const share = totalBytes === 0 ? 0 : freeBytes / totalBytes;
  const found = `${files} in ${folder}: ${sizeOf(freeBytes)} free, ${Math.floor(share * 100)} %`;
  const todo = 'enlarge the disk, or remove old backups and logs';
  if (share < FULL_SHARE) return wrong('disk', found, todo);
  if (share < LOW_SHARE) return warning('disk', found, todo);
  return isInMemory
    ? warning('disk', `${found}; it is in memory`, ADVICE_IN_MEMORY[files])
    : ok('disk', found);
}

export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
}
