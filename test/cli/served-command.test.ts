import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { importedService } from '../rig/service/imported-service.ts';

/* The command line that a service serves as one file, on the oldest Node that it supports if this machine has it. */
const OLDER = '/usr/bin/node';
const NODE = existsSync(OLDER) ? OLDER : process.execPath;

describe('the command line that the service serves', () => {
  const csv = sampleCsv(40);
  const service = importedService(csv);
  const rows = expectedRows(csv, 'store-1');
  const command = (args: readonly string[], env: Record<string, string> = {}) =>
    promisify(execFile)(NODE, [join(service.folder, 'transactions.mjs'), ...args], {
      cwd: service.folder,
      timeout: GIVE_UP_MS,
      env: { TRANSACTIONS_URL: service.url, TRANSACTIONS_API_KEY: service.key, ...env },
    }).then(
      ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ status: code as number, stdout, stderr }),
    );

  before(async () => {
    const response = await fetch(`${service.url}/client/transactions.mjs`);
    assert.equal(response.status, 200);
    writeFileSync(join(service.folder, 'transactions.mjs'), await response.text());
  });

  test('its help says what it is, and names no command that opens a database', async () => {
    const { status, stdout } = await command(['--help'], { TRANSACTIONS_API_KEY: '' });
    assert.equal(status, 0);
    assert.match(stdout, /Reads the transactions of an account from its service/);
    assert.match(stdout, /TRANSACTIONS_URL is the URL of the service/);
    assert.doesNotMatch(stdout, /serve|import|migrate|DATABASE_URL/);
  });

  test('an .env file that it cannot use ends it with a sentence', async () => {
    const path = join(service.folder, '.env');
    mkdirSync(path);
    const folder = await command(['list']);
    rmdirSync(path);
    assert.equal(folder.status, 1);
    assert.match(folder.stderr, /^The file \.env can't be read: .*\.\n$/);
    writeFileSync(path, 'POSTGRES_PASSWORD=a#b\nTRANSACTIONS_URL=http://a#b\n');
    const shortened = await command(['list']);
    rmSync(path);
    assert.equal(shortened.status, 2);
    assert.match(
      shortened.stderr,
      /^Line 2 of \.env has a value of TRANSACTIONS_URL that is not read whole; .*\n$/,
    );
  });

  test('list, totals, changes and export print what the service has', async () => {
    const listed = await command(['list', '--json']);
    assert.equal(listed.stderr, '');
    const lines: { reference: string }[] = listed.stdout
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ reference }) => reference),
      rows.map((row) => row['reference']),
    );
    const { data, asOf } = JSON.parse((await command(['totals', '--json'])).stdout);
    assert.equal(
      data.reduce((count: number, row: { count: number }) => count + row.count, 0),
      rows.length,
    );
    const changes = (await command(['changes', '--json'])).stdout.trim().split('\n');
    assert.equal(changes.length, asOf);
    const saved = await command(['export', '--csv', '--output', 'all.csv']);
    assert.equal(saved.status, 0, saved.stderr);
    assert.equal(readFileSync(join(service.folder, 'all.csv'), 'utf8').split('\r\n').length, rows.length + 2);
  });

  test('search finds a range of amounts, and says how it read it', async () => {
    const found = await command(['search', '0.01 to 99999999', '--json']);
    assert.equal(found.status, 0, found.stderr);
    const inRange = rows.filter(({ amount }) => Number(amount) >= 0.01 && Number(amount) <= 99999999);
    assert.equal(found.stdout.trim().split('\n').length, inRange.length);
    assert.match(found.stderr, /0\.01/);
  });

  test('reconcile compares a file: exit status 0 if it agrees, 1 if it differs', async () => {
    await command(['export', '--csv', '--output', 'own.csv']);
    const agreed = await command(['reconcile', 'own.csv', '--by', 'reference']);
    assert.equal(agreed.status, 0, agreed.stderr);
    const text = readFileSync(join(service.folder, 'own.csv'), 'utf8');
    const [header = '', first = '', ...others] = text.split('\r\n');
    writeFileSync(join(service.folder, 'less.csv'), [header, ...others].join('\r\n'));
    const differing = await command(['reconcile', 'less.csv', '--by', 'reference', '--json']);
    assert.equal(differing.status, 1);
    assert.ok(differing.stdout.includes(first.split(',')[0] as string));
  });

  test('without a URL or a key, it says what to set; a wrong use is 2, a refused key is 1', async () => {
    const noUrl = await command(['list'], { TRANSACTIONS_URL: '' });
    assert.deepEqual([noUrl.status, noUrl.stdout], [2, '']);
    assert.match(noUrl.stderr, /--url, or set TRANSACTIONS_URL/);
    const noKey = await command(['list'], { TRANSACTIONS_API_KEY: '' });
    assert.equal(noKey.status, 2);
    assert.match(noKey.stderr, /Set TRANSACTIONS_API_KEY/);
    const refused = await command(['list'], { TRANSACTIONS_API_KEY: await service.revokedKey() });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /does not accept the key/);
  });
});
