import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Archive } from '../../ledger/archives/archive.ts';
import { type Disagreement, nothingVerified } from '../disagreement.ts';
import type { VerifyContext } from './context.ts';
import { whileNotArchived } from './while-not-archived.ts';

const archiveOf = (removedChanges: number): Archive => ({
  beforeMs: 0,
  floorSequence: 9,
  floorNonce: 1,
  floorSeal: '0',
  rest: '0',
  removedChanges,
});

const wrong = (place: string): Disagreement => ({
  check: 'rows',
  account: 'store-1',
  place,
  found: 'one',
  expected: 'another',
});

function contextOf(archives: readonly (Archive | undefined)[], heads: readonly number[] = [1]) {
  const left = [...archives];
  const headsLeft = [...heads];
  const reported: string[] = [];
  const verified = nothingVerified();
  const context = {
    reader: {
      readArchive: async () => (left.length > 1 ? left.shift() : left[0]),
      readHead: async () => ({
        head: headsLeft.length > 1 ? headsLeft.shift() : headsLeft[0],
        closedAtSequence: null,
      }),
    },
    schema: { tables: new Set(['archives']) },
    verified,
    report: async ({ place }: Disagreement) => void reported.push(place),
  } as unknown as VerifyContext;
  return { context, reported, verified };
}

test('a check is made again if something was archived meanwhile, and only the last one counts', async () => {
  const { context, reported, verified } = contextOf([archiveOf(0), archiveOf(3), archiveOf(3)]);
  const seen: unknown[] = [];
  await whileNotArchived(context, 'store-1', async ({ report }, archive) => {
    seen.push(archive?.removedChanges);
    verified.transactions += 10;
    await report(wrong(`check ${seen.length}`));
  });
  assert.deepEqual([seen, reported, verified.transactions], [[0, 3], ['check 2'], 10]);
});

test('a check is made again if the account was erased and began again meanwhile, but not if it only grew', async () => {
  for (const [heads, checks] of [
    [[9, 1], 2],
    [[1, 9], 1],
  ] as const) {
    const { context } = contextOf([undefined], heads);
    let made = 0;
    await whileNotArchived(context, 'store-1', async () => void made++);
    assert.equal(made, checks);
  }
});

test('rows that an erasure removed meanwhile are not reported, however many they are', async () => {
  const { context, reported } = contextOf([undefined], [9, 1]);
  const counts = [2500, 1];
  await whileNotArchived(context, 'store-1', async ({ report }) => {
    const count = counts.shift() ?? 0;
    for (let at = 0; at < count; at++) await report(wrong(`${at} of ${count}`));
  });
  assert.deepEqual(reported, ['0 of 1']);
});
