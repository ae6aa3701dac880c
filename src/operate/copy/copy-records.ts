import { type CopiedTable, TABLES, tablesWith } from '../../values/tables.ts';
import { show } from '../verify/check-row.ts';
import { readAllRecords } from '../verify/read-rows.ts';
import type { StoredRecord, VerifyReader } from '../verify/verify-reader.ts';
import { type CopyContext, CopyFailed } from './copy-context.ts';
import { mergePages } from './merge-pages.ts';

/** The tables that are copied row after row, in the order of their records: `webhook_endpoints` before their failures. */
export const COPIED_TABLES = tablesWith(({ copied }) => copied === 'records') as CopiedTable[];

/** Copied apart: archives before the changes, and idempotency keys of the accounts that have changed. */
const APART: readonly CopiedTable[] = ['archives', 'idempotency_keys'];

/**
 * Copies what archives left, before the changes. Returns how many it wrote.
 *
 * Throws: CopyFailed if an archive differs and the target has changes of its account, as if it was archived while it was copied.
 */
export const copyArchives = (context: CopyContext): Promise<number> =>
  copyTable(context, 'archives', null, (found) => refuseArchives(context, found));

/** Throws as copyArchives does, and writes nothing. */
export async function checkArchives(context: CopyContext): Promise<void> {
  for await (const found of differences(context, 'archives', null)) await refuseArchives(context, found);
}

async function refuseArchives({ targetReader }: CopyContext, { stored, removed }: Found): Promise<void> {
  for (const record of [...removed, ...stored]) {
    const { head } = await targetReader.readHead(String(record['account']));
    if (head === null || head === 0) continue;
    const shown = show(String(record['account']));
    throw new CopyFailed(
      removed.includes(record)
        ? `The target has changes of the account ${shown} behind an archive that the source does not have. Copy into an empty database.`
        : `The account ${shown} was archived while it was copied. Copy into an empty database.`,
    );
  }
}

/** Copies the small tables, behind the changes that they are about. Returns how many records it wrote. */
export async function copyRecords(context: CopyContext): Promise<number> {
  const { moved } = context;
  context.moved = new Set();
  let written = 0;
  for (const table of COPIED_TABLES.filter((name) => !APART.includes(name)))
    written += await copyTable(context, table);
  // They can be millions. Each was stored in the transaction of the database that gave its account a change.
  for (const account of moved ?? [null]) written += await copyTable(context, 'idempotency_keys', account);
  return written;
}

/** What differs in some records: those that the target does not have as the source has them, and those that it alone has. */
type Found = { stored: StoredRecord[]; removed: StoredRecord[] };

/** What differs in a table, of one account or of all. Reads both sides in the order of the key. */
async function* differences(
  { source, targetReader }: CopyContext,
  table: CopiedTable,
  account: string | null,
): AsyncGenerator<Found, undefined> {
  const [ours, theirs] = [readCopied(source, table, account), readAllRecords(targetReader, table, account)];
  for await (const pairs of mergePages(ours, theirs, byKey(TABLES[table].key))) {
    const found: Found = { stored: [], removed: [] };
    for (const [there, here] of pairs) {
      if (there !== undefined && !isSame(there, here)) found.stored.push(there);
      if (there === undefined && here !== undefined) found.removed.push(here);
    }
    yield found;
  }
  return undefined;
}

/** Makes a table of the target that of the source, of one account or of all: writes what differs. */
async function copyTable(
  context: CopyContext,
  table: CopiedTable,
  account: string | null = null,
  beforeWrite?: (found: Found) => Promise<void>,
): Promise<number> {
  const { target, copied, isStopped, onProgress } = context;
  const { key } = TABLES[table];
  const keyOf = (record: StoredRecord) => key.map((column) => record[column] as string | number);
  const before = copied.records;
  for await (const found of differences(context, table, account)) {
    const { stored, removed } = found;
    await beforeWrite?.(found);
    if (stored.length > 0) await target.writeRecords(table, stored);
    if (removed.length > 0) await target.deleteRecords(table, removed.map(keyOf));
    copied.records += stored.length + removed.length;
    onProgress();
    if (isStopped()) break;
  }
  return copied.records - before;
}

type Records = AsyncGenerator<StoredRecord[], undefined>;

async function* readCopied(reader: VerifyReader, table: CopiedTable, account: string | null): Records {
  // Sessions are not copied: the page of the other service does not have their keys. Those that a target has from before it was moved
  // end: nobody could end them meanwhile.
  for await (const records of readAllRecords(reader, table, account))
    yield table === 'api_keys' ? records.filter(({ kind }) => kind !== 'session') : records;
  return undefined;
}

const isSame = (left: StoredRecord, right: StoredRecord | undefined): boolean =>
  right !== undefined && Object.keys(left).every((column) => left[column] === right[column]);

/** Texts are compared by bytes: those of a key are ASCII. */
const byKey =
  (key: readonly string[]) =>
  (left: StoredRecord, right: StoredRecord): number => {
    for (const column of key) {
      const [ours, theirs] = [left[column] ?? '', right[column] ?? ''];
      if (ours !== theirs) return ours < theirs ? -1 : 1;
    }
    return 0;
  };
