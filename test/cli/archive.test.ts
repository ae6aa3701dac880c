import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ARCHIVE_HEADERS } from '../../src/operate/archive/archive.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

test('a full disk of temporary files is one error sentence, where archived files are compared', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const time = '2026-03-01T10:00:00.000Z';
  const line = (at: number) =>
    `store-1,r${at},${'m'.repeat(200)},completed,1.00,EUR,${time},${time},,,,${at},chg_${at},${time}\r\n`;
  const lines = Array.from({ length: 40_000 }, (_, at) => line(at + 1));
  writeFileSync(`${cwd}/a.csv`, ARCHIVE_HEADERS.usual + lines.join(''));
  writeFileSync(`${cwd}/a.json`, '');
  const seal = { account: 'store-1', sequence: 1, id: 'chg_1', seal: '0'.repeat(64) };
  const { status, stderr } = await run(['verify', '--against', '-', '--archives', '.'], {
    cwd,
    stdin: JSON.stringify(seal),
    through: ['prlimit', '--fsize=1000000'],
  });
  assert.equal(status, 1);
  assert.match(stderr, /^The archived files could not be compared: the temporary file can't be used: .+\n$/);
});
