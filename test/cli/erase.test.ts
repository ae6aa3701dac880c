import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importCsv, outcomeOf, run, start } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

test('after SIGINT it says what is left to do, and the account stays closed', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  await importCsv(csvFile(csvLine()), { cwd });
  const child = start(['erase', '--account', 'store-1', '--yes'], { cwd });
  const outcome = outcomeOf(child);
  let noted = '';
  child.stderr?.on('data', (text) => {
    noted += text;
  });
  await until(() => noted.includes('Waiting'));
  child.kill('SIGINT');
  const { status, stderr } = await outcome;
  const [last] = stderr.trimEnd().split('\n').slice(-1);
  assert.deepEqual(
    [status, last],
    [
      1,
      'Stopped by SIGINT. Run the command again: it removes the rest, and until then, the account stays closed.',
    ],
  );
  const { stdout } = await run(['verify'], { cwd });
  assert.match(stdout, /"transactions erase --account store-1" completes it/);
});
