import type { AuditStamp } from '../../audit/audit.ts';
import type { Sealer } from '../../ledger/seals/seals.ts';
import type { VerifyReader } from '../verify-reader.ts';
import type { AccountArchiver } from './account-archiver.ts';

export interface ArchiveFiles {
  create(): Promise<ArchiveFile>;
  /** The text of a file; undefined if there is none. */
  readText(name: string): Promise<string | undefined>;
  /** The lines of a file, each with its line end: none if there is no file. */
  readLines(name: string): AsyncIterable<string>;
  remove(name: string): Promise<void>;
}

/** A file that has no name before `keep` is called. */
export interface ArchiveFile {
  write(text: string): Promise<void>;
  /** Writes everything to the disk and names the file. Throws if a file with other content has the name. */
  keep(name: string): Promise<void>;
  /** Removes the file if it has no name. */
  discard(): void;
}

export interface ArchiveOptions {
  reader: VerifyReader;
  archiver: AccountArchiver;
  store: Sealer;
  files: ArchiveFiles;
  /** The beginning of a day. Final transactions that were created before it are archived. */
  beforeMs: number;
  stamp(): AuditStamp;
  monotonicMs(): number;
  sleep(milliseconds: number): Promise<unknown>;
  onProgress(step: 'writing' | 'removing', account: string, transactions: number): void;
}
