import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openArchiveFolder } from '../../../src/cli/archive/archive-folder.ts';
import { type ArchiveResult, archiveAccounts } from '../../../src/operate/archive/archive-accounts.ts';
import { openAccountArchiver } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { someStamp } from './audit.ts';
import { beside, openReader } from './copy.ts';

export interface Steps {
  before?: (call: string) => Promise<void>;
  monotonicMs?: () => number;
  sleep?: (milliseconds: number) => Promise<unknown>;
}

export interface Archiving extends Steps {
  url: string;
  store: Store;
  folder: string;
  beforeMs: number;
}

export async function archive(
  accounts: readonly string[],
  {
    url,
    store,
    folder,
    beforeMs,
    before = async () => {},
    monotonicMs = () => performance.now(),
    sleep = (milliseconds) => delay(Math.min(1, milliseconds)),
  }: Archiving,
): Promise<ArchiveResult[]> {
  const reader = await openReader(url);
  const archiver = await openAccountArchiver(url);
  const files = await openArchiveFolder(folder);
  const create = async () => {
    const file = await files.create();
    return { ...file, keep: (name: string) => before('keep').then(() => file.keep(name)) };
  };
  try {
    const results = archiveAccounts(accounts, {
      reader,
      archiver: beside(archiver, before),
      store,
      files: { ...files, create },
      beforeMs,
      stamp: () => someStamp(),
      monotonicMs,
      sleep,
      onProgress: () => {},
    });
    return await Array.fromAsync(results);
  } finally {
    await Promise.all([reader.close(), archiver.end()]);
  }
}

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
