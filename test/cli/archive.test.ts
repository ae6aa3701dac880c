import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importCsv, run } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

test('SIGTERM leaves no part of a file, and running the command again archives the account', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  await importCsv(csvFile(csvLine()), { cwd });
  const atTheEnd = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
    fs.link = async () => { process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000); await new Promise(() => {}); };
    syncBuiltinESMExports();`;
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(atTheEnd)}`];
  const args = ['archive', '--before', '2026-03-10', '--to', 'archive'];
  const { status, stderr } = await run(args, { cwd, nodeOptions });
  assert.deepEqual(
    [status, stderr.split('\n').at(-2)],
    [1, 'Stopped by SIGTERM. Run the command again with the same folder: it archives the rest.'],
  );
  assert.deepEqual(readdirSync(`${cwd}/archive`), []);
  assert.match((await run(args, { cwd })).stdout, /^store-1: 1 transaction moved to /);
});
