import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCsv } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importCsv, run } from '../rig/service/process.ts';

const SOURCE = 'sqlite:source.db';
const TARGET = 'sqlite:target.db';

test('copy holds at most a few thousand transactions in memory at a time', async (t) => {
  const folder = temporaryFolder(t);
  const options = { cwd: folder.path, env: { DATABASE_URL: SOURCE } };
  await importCsv(sampleCsv(100_000), options);
  const { status, stderr } = await run(['copy', '--from', SOURCE, '--to', TARGET], {
    ...options,
    nodeOptions: ['--max-old-space-size=48'],
  });
  assert.equal(status, 0, stderr);
});
