import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { BINARY } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

test('a closed output does not crash the import', (t) => {
  const { path: cwd } = temporaryFolder(t);
  const lines = Array.from({ length: 5000 }, (_, index) => csvLine({ reference: `r${index}`, amount: 'x' }));
  writeFileSync(`${cwd}/bad.csv`, csvFile(...lines));
  const command = `"${process.execPath}" "${BINARY}" import bad.csv 2>&1 | head -n 2; echo done`;
  const { stdout } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
  assert.match(stdout, /^line 2, column amount: .*\nline 3, column amount: .*\ndone\n$/);
});
