import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredRecord } from '../verify/verify-reader.ts';
import { TargetContradicts } from './contradiction.ts';
import { IDEMPOTENCY_KEYS } from './copied-tables.ts';
import type { CopyContext } from './copy-context.ts';
import { copyRecords } from './copy-records.ts';

const record = (key: string, fingerprint: string): StoredRecord => ({
  account: 'store-1',
  key,
  fingerprint,
  reference: 'tx_1',
});

test('nothing of a page with a contradiction is written, and nothing after it', async () => {
  const written: StoredRecord[] = [];
  const reader = (...pages: StoredRecord[][]) => ({
    readRecords: async (_table: string, _account: null, after: readonly (string | number)[] | null) => {
      const at = after === null ? 0 : Number(after[0]);
      return { records: pages[at] ?? [], next: at + 1 < pages.length ? [at + 1] : undefined };
    },
  });
  const context = {
    source: reader([record('a', '1')], [record('b', '1'), record('c', '1')], [record('d', '1')]),
    targetReader: reader([record('b', '2')]),
    target: {
      writeRecords: async (_: string, records: StoredRecord[]) => void written.push(...records),
      deleteRecords: async () => assert.fail('nothing is deleted'),
    },
    copied: { changes: 0, records: 0 },
    isStopped: () => false,
    onProgress: () => {},
  } as unknown as CopyContext;
  await assert.rejects(copyRecords(context, IDEMPOTENCY_KEYS), (error) => {
    assert.ok(error instanceof TargetContradicts);
    assert.equal(error.contradictions.count, 1);
    return true;
  });
  assert.deepEqual(
    written.map(({ key }) => key),
    ['a'],
  );
});
