import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type CopyEnd, type CopyOptions, copyDatabase } from '../../../src/operate/copy/copy.ts';
import { type Contradiction, CopyFailed, TargetContradicts } from '../../../src/operate/copy/copy-context.ts';
import { type CopyReader, LAST_ACCOUNT } from '../../../src/operate/copy/copy-reader.ts';
import type { CopyTarget } from '../../../src/operate/copy/copy-target.ts';
import { readAllRows, type StoredRecord, type StoredRow } from '../../../src/operate/stored-rows.ts';
import { unfinishedCopy } from '../../../src/operate/verify/verify.ts';
import { openCopyReader, openCopyTarget, openStore } from '../../../src/store/open-store.ts';
import { type CopiedTable, tablesWith } from '../../../values/tables.ts';
import { verifyDatabase } from '../../verify/healthy-database.ts';

export async function openReader(url: string): Promise<CopyReader> {
  const opened = await openCopyReader(url);
  if (!('reader' in opened)) throw new Error(`the database needs the migrations ${opened.pending}`);
  await opened.reader.checkSchema();
  return opened.reader;
}

const TABLES = [...(tablesWith(({ copied }) => copied === 'records') as CopiedTable[]), 'archives'] as const;

export interface Contents {
  heads: Record<string, number>;
  rows: Record<string, StoredRow[]>;
  records: Record<string, StoredRecord[]>;
}

export async function contentsOf(url: string): Promise<Contents> {
  const reader = await openReader(url);
  try {
    const contents: Contents = { heads: {}, rows: {}, records: {} };
    for (const { account, head } of await reader.listHeads('', LAST_ACCOUNT, 10_000))
      contents.heads[account] = head;
    for (let account = await reader.nextAccount(''); account !== undefined; ) {
      contents.rows[account] = (
        await Array.fromAsync(readAllRows(reader, account, { pageSize: 10_000 }))
      ).flat();
      account = await reader.nextAccount(account);
    }
    for (const table of TABLES)
      contents.records[table] = (await reader.readRecords(table, null, null)).records;
    return contents;
  } finally {
    await reader.close();
  }
}

export async function asTarget(url: string, work: (target: CopyTarget) => Promise<void>): Promise<void> {
  const target = await openCopyTarget(url);
  await work(target).finally(() => target.close());
}

export const copyFailed = (start: string) => (error: unknown) =>
  error instanceof CopyFailed && error.message.startsWith(start);

export async function assertVerified(url: string): Promise<void> {
  const reader = await openReader(url);
  const mark = await reader.readMark().finally(() => reader.close());
  const { disagreements } = await verifyDatabase(url);
  assert.deepEqual(disagreements, mark?.state !== 'copying' ? [] : [unfinishedCopy(mark)]);
}

function rowsAt(contents: Contents, heads: Record<string, number>): Record<string, StoredRow[]> {
  const rows: Record<string, StoredRow[]> = {};
  for (const [account, all] of Object.entries(contents.rows)) {
    const head = heads[account];
    if (head !== undefined) rows[account] = all.flatMap((row) => asOf(row, head));
  }
  return rows;
}

function asOf(row: StoredRow, head: number): StoredRow[] {
  if (row.finalSequence !== null && row.finalSequence <= head) return [row];
  if (row.pendingSequence === null || row.pendingSequence > head) return [];
  return [
    {
      ...row,
      status: 'pending',
      paidAtMs: null,
      finalSequence: null,
      finalRecordedAtMs: null,
      finalNonce: null,
    },
  ];
}

export function assertRowsAtHeads(source: Contents, copy: Contents): void {
  const expected = rowsAt(source, copy.heads);
  assert.deepEqual(Object.keys(copy.rows), Object.keys(expected));
  for (const [account, rows] of Object.entries(expected)) {
    const copied = copy.rows[account] ?? [];
    const index = rows.findIndex((row, at) => !isDeepStrictEqual(row, copied[at]));
    if (index >= 0) assert.deepEqual(copied[index], rows[index], `row ${index} of account ${account}`);
    assert.equal(copied.length, rows.length, `rows of account ${account} at ${copy.heads[account]}`);
  }
}

export function assertSameContents(source: Contents, copy: Contents): void {
  assert.deepEqual(copy.heads, source.heads);
  assert.deepEqual(copy.records, source.records);
  assertRowsAtHeads(source, copy);
}

export type Databases = Pick<CopyOptions, 'source' | 'target' | 'targetReader' | 'targetStore'>;

export interface CopyRun {
  following?: CopyOptions['following'];
  isStopped?: () => boolean;
  now?: () => number;
  monotonicMs?: () => number;
  sourceName?: string;
  isMove?: true;
  markedThrough?: (marker: CopyTarget) => CopyTarget;
  through?: (databases: Databases) => Partial<Databases>;
}

export const isCopied = async (target: CopyReader): Promise<boolean> =>
  (await target.listHeads('', LAST_ACCOUNT, 1)).length > 0;

export function beforeTheMark(happen: () => Promise<unknown>): Required<CopyRun>['through'] {
  let happened = false;
  return (one) => ({
    source: beside(one.source, async (method) => {
      if (happened || method !== 'readMark' || !(await isCopied(one.targetReader))) return;
      happened = true;
      await happen();
    }),
  });
}

type CopyRunEnd = CopyEnd | { end: 'contradiction'; contradiction: Contradiction };

export async function copyBetween(from: string, to: string, run: CopyRun = {}): Promise<CopyRunEnd> {
  const { following = null, isStopped = () => false, sourceName = from, through = (one) => one } = run;
  const { markedThrough = (marker) => marker } = run;
  const opened: { close(): Promise<unknown> }[] = [];
  try {
    const reader = await openReader(from);
    opened.unshift(reader);
    const options = { timeoutMs: 60_000, connections: 2, isCopyTarget: true };
    const { store: targetStore } = await openStore(to, Date.now, options);
    opened.unshift(targetStore);
    const writer = await openCopyTarget(to);
    opened.unshift(writer);
    const targetReader = await openReader(to);
    opened.unshift(targetReader);
    const databases: Databases = { source: reader, target: writer, targetReader, targetStore };
    return await copyDatabase({
      ...databases,
      ...through(databases),
      sourceName,
      openSource: run.isMove === true ? async () => markedThrough(await openCopyTarget(from)) : null,
      targetName: to,
      following,
      isStopped,
      now: run.now ?? Date.now,
      monotonicMs: run.monotonicMs ?? (() => performance.now()),
      onMoved: () => {},
      onProgress: () => {},
    });
  } catch (error) {
    if (!(error instanceof TargetContradicts)) throw error;
    return { end: 'contradiction', contradiction: error.contradiction };
  } finally {
    for (const one of opened) await one.close();
  }
}

export function beside<Calls extends object>(calls: Calls, happen: (method: string) => void | Promise<void>) {
  return new Proxy(calls, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...values: unknown[]) => {
        // `close` with an argument closes an account, not the connection.
        if (values.length > 0 || !['close', 'end'].includes(String(name))) await happen(String(name));
        return value.apply(target, values);
      };
    },
  });
}
