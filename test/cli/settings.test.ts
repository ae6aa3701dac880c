import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLines } from '../rig/data/json-lines.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { startServe } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

test('a service logs each variable that is close to a setting once, without its value', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const env = { PROT: 'hunter2', port: 'hunter2' };
  const served = await startServe({ cwd, env, args: ['--workers', '2'] });
  await served.stop();
  const warnings = jsonLines(served.logged()).filter(({ msg }) => msg.includes('is not a setting'));
  assert.deepEqual(
    warnings.map(({ level }) => level),
    [40, 40],
  );
  assert.ok(!served.logged().includes('hunter2'));
});
