import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const CODE = `
import { inTier, isInShare, someInTier } from '${new URL('./tier.ts', import.meta.url)}';
const items = Array.from({ length: 50 }, (_, index) => index);
const shared = items.filter((item) => isInShare('case ' + item, 1 / 5));
process.stdout.write(JSON.stringify({ size: inTier({ short: 3, long: 50 }), some: someInTier(items, 3), shared }));`;

async function inProcess(
  env: Record<string, string>,
): Promise<{ size: number; some: number[]; shared: number[] }> {
  const options = { env: { PATH: process.env['PATH'], ...env } };
  const args = ['--input-type=module', '--eval', CODE];
  return JSON.parse((await promisify(execFile)(process.execPath, args, options)).stdout);
}

test('the short tier runs a share that the seed decides, in the order of the items', async () => {
  const first = await inProcess({ TEST_SEED: '1' });
  assert.equal(first.size, 3);
  assert.ok(first.shared.length > 0 && first.shared.length < 25, `${first.shared.length}`);
  assert.equal(first.some.length, 3);
  assert.deepEqual(
    first.some,
    first.some.toSorted((one, other) => one - other),
  );
  assert.deepEqual(await inProcess({ TEST_SEED: '1' }), first);
  const second = await inProcess({ TEST_SEED: '2' });
  assert.notDeepEqual(second.some, first.some);
  assert.notDeepEqual(second.shared, first.shared);
});

test('without TEST_SEED, the commit decides the share', async () => {
  assert.deepEqual(await inProcess({}), await inProcess({}));
});

test('the long tier runs everything', async () => {
  const { size, some, shared } = await inProcess({ TEST_TIER: 'long' });
  assert.equal(size, 50);
  const everything = Array.from({ length: 50 }, (_, index) => index);
  assert.deepEqual(some, everything);
  assert.deepEqual(shared, everything);
});
