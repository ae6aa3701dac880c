import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import type { ExportFormat, Transaction } from '../../client/src/index.ts';
import { type ExportFault, scriptedExport, serveExport } from '../rig/data/scripted-export.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { BINARY, createKey, run, start, withoutProgress } from '../rig/service/process.ts';

const ROWS: Transaction[] = Array.from({ length: 3000 }, (_, index) => ({
  reference: `tx_${9999 - index}`,
  merchantReference: index % 7 === 0 ? null : `größe "${index}"\u202e`,
  status: 'completed',
  amount: `${index}.25`,
  currencyCode: index % 2 === 0 ? 'EUR' : 'XTS',
  paidAt: '2026-03-01T10:00:05.000Z',
  createdAt: '2026-03-01T10:00:00.000Z',
}));

describe('export', () => {
  const folder = temporaryFolder();
  const output = `${folder.path}/out`;
  let key: string;

  before(async () => {
    key = await createKey('store-1', { cwd: folder.path });
    mkdirSync(output);
  });
  after(folder.remove);
  let file: string;
  let files = 0;
  beforeEach(() => {
    file = `${output}/export-${++files}.csv`;
  });

  const filesOf = (path: string) =>
    readdirSync(output).filter((name) => name.startsWith(path.slice(output.length + 1)));

  const service = async (t: TestContext, format: ExportFormat, faults: ExportFault[] = []) => {
    const scripted = scriptedExport(format, ROWS);
    scripted.faults = faults;
    return { scripted, url: await serveExport(t, scripted) };
  };

  const optionsOf = () => ({ cwd: folder.path, env: { TRANSACTIONS_API_KEY: key } });
  const exported = async (args: readonly string[], through: string[] = []) => {
    const outcome = await run(['export', ...args], { ...optionsOf(), through });
    assert.ok(!(outcome.stdout + outcome.stderr).includes(key));
    return outcome;
  };

  const summaryOf = ({ bytes, sha256 }: { bytes: number | null; sha256: string | null }) =>
    new RegExp(
      `^Exported 3,000 transactions, complete and verified, up to change 25 of the account: ${bytes?.toLocaleString('en')} bytes\\.
SHA-256: ${sha256}
CURRENCY  STATUS     COUNT      AMOUNT
EUR       completed   1500  2248875\\.00
XTS       completed   1500  2250375\\.00
$`,
    );

  for (const [option, format] of [
    ['--csv', 'csv'],
    ['--json', 'ndjson'],
  ] as const) {
    test(`${option} --output writes every byte to the file, starts again after a cut response, and saves the manifest`, async (t) => {
      const cuts = [5000, 70_000, 200_000].map((bytes) => ({ bytes }));
      const { scripted, url } = await service(t, format, cuts);
      const { status, stdout, stderr } = await exported([
        ...[option, '--url', url, '--output', file],
        ...['--manifest', `${file}.manifest.json`],
      ]);
      assert.equal(status, 0, stderr);
      assert.deepEqual(scripted.faults, []);
      assert.ok(readFileSync(file).equals(scripted.file));
      assert.match(stdout, summaryOf(scripted.manifest));
      for (const restart of [1, 2, 3])
        assert.match(
          stderr,
          new RegExp(
            `The export was cut after [\\d,]+ transactions\\. Starting again from the beginning \\(${restart} of 3\\)\\.\n`,
          ),
        );
      assert.deepEqual(JSON.parse(readFileSync(`${file}.manifest.json`, 'utf8')), scripted.manifest);
      assert.equal(filesOf(file).length, 2);
    });
  }

  test('an export that is cut four times leaves no new file, and an older file unchanged', async (t) => {
    const { scripted, url } = await service(t, 'csv');
    for (const content of [undefined, 'older']) {
      if (content !== undefined) writeFileSync(file, content);
      scripted.faults = Array(4).fill({ bytes: 100_000 });
      const args = ['--csv', '--url', url, '--output', file, '--manifest', `${file}.json`];
      const { status, stdout, stderr } = await exported(args);
      assert.deepEqual([status, stdout], [1, ''], stderr);
      assert.match(
        stderr,
        /^(The export was cut after [\d,]+ transactions\. Starting again .*\n){3}The connection to the service at \S+ was lost\.\n/,
      );
      assert.match(stderr, new RegExp(`\nNothing was saved as "${file}"\\.\n$`));
      assert.deepEqual(filesOf(file), content === undefined ? [] : [file.slice(output.length + 1)]);
      if (content !== undefined) assert.equal(readFileSync(file, 'utf8'), content);
    }
  });

  test('an export that differs from its manifest is printed, and reported as incomplete', async (t) => {
    const { scripted, url } = await service(t, 'csv');
    scripted.said = () => ({ ...scripted.manifest, sha256: '0'.repeat(64) });
    const { status, stdout, stderr } = await exported(['--csv', '--url', url]);
    assert.equal(status, 1);
    assert.ok(scripted.file.toString().startsWith(stdout));
    assert.match(
      stderr,
      /The export differs from its manifest: sha256 is \w+, not 0+.*\nThe output is incomplete: it ends after [\d,]+ transactions\. With --output, an export that is cut starts again\.\n$/s,
    );
  });

  test('a stop signal in an outage ends an export at once', async (t) => {
    const outage = { status: 503, headers: { 'retry-after': '60' } };
    const { url } = await service(t, 'csv', [{ bytes: 100_000 }, outage]);
    const child = start(['export', '--csv', '--url', url, '--output', file], optionsOf());
    t.after(() => child.kill('SIGKILL'));
    const exit = once(child, 'exit');
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr === '' && chunk.startsWith('The export was cut')) child.kill('SIGINT');
      stderr += chunk;
    });
    assert.deepEqual(await exit, [1, null]);
    const cut = 'The export was cut after .*\\. Starting again from the beginning \\(1 of 3\\)\\.\n';
    assert.match(
      withoutProgress(stderr),
      new RegExp(
        `^${cut}Stopped by SIGINT\\. Run the command again to make a new export\\.\nNothing was saved as "${file}"\\.\n$`,
      ),
    );
    assert.deepEqual(filesOf(file), []);
  });

  test('a full disk is one error sentence, and leaves no file', async (t) => {
    const { url } = await service(t, 'csv');
    const args = ['--csv', '--url', url, '--output', file];
    const { status, stderr } = await exported(args, ['prlimit', '--fsize=100000']);
    assert.equal(status, 1);
    assert.match(
      stderr,
      new RegExp(`^${file} can't be written: EFBIG.*\\.\nNothing was saved as "${file}"\\.\n$`),
    );
    assert.deepEqual(filesOf(file), []);
  });

  test('a replaced file keeps its mode, and a link to it keeps working', async (t) => {
    const { scripted, url } = await service(t, 'csv');
    const link = `${file}.link`;
    writeFileSync(file, 'older');
    chmodSync(file, 0o640);
    symlinkSync(file, link);
    const { status, stderr } = await exported(['--csv', '--url', url, '--output', link]);
    assert.equal(status, 0, stderr);
    assert.ok(readFileSync(file).equals(scripted.file));
    assert.equal(statSync(file).mode & 0o777, 0o640);
    assert.equal(filesOf(file).length, 2);
  });

  test('a manifest file that is also standard output is refused', () => {
    const existing = join(folder.path, 'existing.csv');
    writeFileSync(existing, 'kept');
    const command = `"${process.execPath}" "${BINARY}" export --csv --manifest existing.csv >> existing.csv`;
    const { status, stderr } = spawnSync('sh', ['-c', command], { ...optionsOf(), encoding: 'utf8' });
    assert.deepEqual([status, stderr], [2, '--manifest and standard output are the same file.\n']);
    assert.equal(readFileSync(existing, 'utf8'), 'kept');
    rmSync(existing);
  });
});
