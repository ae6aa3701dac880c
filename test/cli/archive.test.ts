import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ARCHIVE_HEADERS } from '../../src/operate/archive/archive.ts';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importCsv, run } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

test('a full disk for temporary files is one error sentence when archived files are compared', async (t) => {
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

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} leaves no part of a file, and running the command again archives the account`, async (t) => {
    const { path: cwd } = temporaryFolder(t);
    await importCsv(csvFile(csvLine()), { cwd });
    // At this point, the file is written and about to get its name.
    const atTheEnd = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
      fs.link = async () => { process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000); await new Promise(() => {}); };
      syncBuiltinESMExports();`;
    const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(atTheEnd)}`];
    const args = ['archive', '--before', '2026-03-10', '--to', 'archive'];
    const { status, stderr } = await run(args, { cwd, nodeOptions });
    assert.deepEqual(
      [status, stderr.split('\n').at(-2)],
      [1, `Stopped by ${signal}. Run the command again with the same folder: it archives the rest.`],
    );
    assert.deepEqual(readdirSync(`${cwd}/archive`), []);
    assert.match((await run(args, { cwd })).stdout, /^store-1: 1 transaction moved to /);
  });
