import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openArchiveFolder } from '../../../src/cli/archive/archive-folder.ts';
import type { AccountArchiver } from '../../../src/operate/archive/account-archiver.ts';
import { type ArchiveResult, archiveAccounts } from '../../../src/operate/archive/archive-accounts.ts';
import type { ArchiveFile } from '../../../src/operate/archive/archive-options.ts';
import { openAccountArchiver } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { someStamp } from './audit.ts';
import { openReader } from './copy.ts';

const kept = (file: ArchiveFile, before: (call: string) => Promise<void>): ArchiveFile => ({
  ...file,
  keep: async (name) => {
    await before('keep');
    await file.keep(name);
  },
});

export interface Archiving {
  url: string;
  store: Store;
  folder: string;
  beforeMs: number;
  /** Called before each call of the archiver, and before each file is kept. */
  before?: (call: string) => Promise<void>;
}

/** Archives accounts as the command does. */
export async function archive(
  accounts: readonly string[],
  { url, store, folder, beforeMs, before = async () => {} }: Archiving,
): Promise<ArchiveResult[]> {
  const reader = await openReader(url);
  const archiver = await openAccountArchiver(url);
  const files = await openArchiveFolder(folder);
  const each = new Proxy(archiver, {
    get:
      (target, name) =>
      async (...values: unknown[]) => {
        await before(String(name));
        return (target[name as keyof AccountArchiver] as (...values: unknown[]) => unknown)(...values);
      },
  });
  try {
    const results = archiveAccounts(accounts, {
      reader,
      archiver: each,
      store,
      files: { ...files, create: async () => kept(await files.create(), before) },
      beforeMs,
      stamp: () => someStamp(),
      monotonicMs: () => performance.now(),
      sleep: (milliseconds) => delay(Math.min(1, milliseconds)),
      onProgress: () => {},
    });
    return await Array.fromAsync(results);
  } finally {
    await Promise.all([reader.close(), archiver.end()]);
  }
}

/**
 * The lines of an account's files that have a manifest, by reference. Fails if a reference comes twice, or if
 * a file has no final name.
 */
export function archivedLines(folder: string, account: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    assert.ok(!name.includes('incomplete'), name);
    if (!name.startsWith(`${account}.`) || !name.endsWith('.json')) continue;
    const text = readFileSync(join(folder, name.replace(/json$/, 'csv')), 'utf8');
    for (const line of text.split('\r\n').slice(1, -1)) {
      const reference = line.split(',')[1] as string;
      assert.ok(!lines.has(reference), `${reference} is in two files`);
      lines.set(reference, line);
    }
  }
  return lines;
}
