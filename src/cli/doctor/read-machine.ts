import { X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Disk } from '../../operate/doctor/check-machine.ts';
import { isEmbedded } from '../../store/open-store.ts';

export const modifiedMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** Source: statfs(2). */
const TMPFS = 0x01021994;

function diskOfFolder(folder: string, files: Disk['files']): Disk {
  const { type, bsize, bavail, blocks } = statfsSync(folder);
  return {
    folder,
    files,
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    isInMemory: type === TMPFS,
  };
}

export const diskOfDatabase = (path: string) =>
  diskOfFolder(nearestFolder(dirname(resolve(path))), 'the database');

const nearestFolder = (folder: string): string =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : nearestFolder(dirname(folder));

/** SQLite tries the folders in this order. Source: sqlite.org/tempfiles.html. */
export function diskOfTemporaryFiles(): Disk {
  const { SQLITE_TMPDIR, TMPDIR } = process.env;
  const folders = [SQLITE_TMPDIR, TMPDIR, '/var/tmp', '/usr/tmp', '/tmp', '.'];
  const folder = folders.find((path) => path !== undefined && isWritableFolder(path)) ?? '.';
  return diskOfFolder(resolve(folder), 'temporary files');
}

function isWritableFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

interface CertificateFile {
  place: string;
  read: () => number;
}

export function certificateFiles(databaseUrl: string): CertificateFile[] {
  if (isEmbedded(databaseUrl)) return [];
  const parameters = new URLSearchParams(/\?(.*)$/.exec(databaseUrl)?.[1] ?? '');
  return (['sslrootcert', 'sslcert'] as const).flatMap((name) => {
    const path = parameters.get(name);
    if (path === null) return [];
    const read = () => {
      const ends = (readFileSync(path, 'utf8').match(CERTIFICATE) ?? []).map((text) =>
        new X509Certificate(text).validToDate.getTime(),
      );
      if (ends.length === 0) throw new Error('it has no certificate');
      // A file of authorities can contain an old certificate beside its successor, so the latest end counts.
      return name === 'sslrootcert' ? Math.max(...ends) : (ends[0] as number);
    };
    return [{ place: `${name} ${path}`, read }];
  });
}
