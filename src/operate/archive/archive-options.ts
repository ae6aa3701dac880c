import type { AuditStamp } from '../../audit/audit.ts';
import type { Sealer } from '../../ledger/seals/seals.ts';
import type { VerifyReader } from '../verify-reader.ts';
import type { AccountArchiver } from './account-archiver.ts';

export interface ArchiveFiles {
  create(): Promise<ArchiveFile>;
  readText(name: string): Promise<string | undefined>;
  /** Yields each line with its line end, and nothing if the file does not exist. */
  readLines(name: string): AsyncIterable<string>;
  remove(name: string): Promise<void>;
}

export interface ArchiveFile {
  write(text: string): Promise<void>;
  /** Writes everything to the disk and names the file. Throws if a file with other content has this name. */
  keep(name: string): Promise<void>;
  discard(): void;
}

export interface ArchiveOptions {
  reader: VerifyReader;
  archiver: AccountArchiver;
  store: Sealer;
  files: ArchiveFiles;
  beforeMs: number;
  stamp(): AuditStamp;
  monotonicMs(): number;
  sleep(milliseconds: number): Promise<unknown>;
  onProgress(step: 'writing' | 'removing', account: string, transactions: number): void;
}
