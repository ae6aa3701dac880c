import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CSV_HEADER, csvLine } from '../rig/data/csv.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { call, run } from '../rig/service/process.ts';

const ROWS = inTier({ short: 300, long: 10_000 });
const hasPython = spawnSync('python3', ['--version']).status === 0;
const random = new Random(seed);
const TEXTS = ['', 'order 7', 'Ünïcödé 😀', "O'Neil </b>"];
const lines = Array.from({ length: ROWS }, (_, index) => {
  const line = csvLine({
    reference: `r${index}`,
    merchantReference: random.pick(TEXTS),
    amount: `${random.pick(['', '-'])}${random.integer(1, 99_999)}.${random.integer(10, 99)}`,
  });
  return `${line},${random.pick(index === 0 ? [''] : ['', 'store-1.r0'])}`;
});

describe('seals', () => {
  const service = importedService(`${[`${CSV_HEADER},relatedTo`, ...lines].join('\n')}\n`);
  const transactions = (...args: string[]) => run(args, { cwd: service.folder });
  const keptFile = () => `${service.folder}/kept.ndjson`;
  const readKept = () => readFileSync(keptFile(), 'utf8').slice(1);

  before(async () => {
    for (let sealed = 0; sealed < ROWS; await delay(50)) {
      const response = await call(`${service.url}/v1/seal`, service.key);
      sealed = ((await response.json()) as { sequence: number }).sequence;
    }
  });

  test('are printed for each account, and this history leads to them', async () => {
    const { stdout, status } = await transactions('seals');
    assert.equal(status, 0);
    const [line, ...others] = stdout
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));
    assert.deepEqual([Object.keys(line), others], [['account', 'sequence', 'id', 'seal'], []]);
    assert.deepEqual([line.account, line.sequence], ['store-1', ROWS]);
    // A byte order mark, as editors and other programs write it.
    writeFileSync(keptFile(), `\uFEFF${stdout}`);
    const compared = await transactions('verify', '--against', keptFile());
    assert.equal(compared.status, 0, compared.stdout);
    assert.match(
      compared.stdout,
      new RegExp(
        `^account "store-1", kept seal at the sequence number ${ROWS}: this history leads to it$`,
        'm',
      ),
    );
    assert.match(compared.stdout, new RegExp(`, ${ROWS.toLocaleString('en')} sealed changes, `));
  });

  test('changes --verify computes the seal of the service, and continues from it', async () => {
    const all = await service.run(['changes', '--verify', '--json']);
    assert.equal(all.status, 0, all.stderr);
    const [, seal = ''] = /--seal ([0-9a-f]{64})\.$/m.exec(all.stderr) ?? [];
    assert.equal(seal, JSON.parse(readKept()).seal);
    const rest = await service.run(['changes', '--after', String(ROWS), '--seal', seal]);
    assert.equal(rest.status, 0, rest.stderr);
    const wrong = await service.run(['changes', '--after', '3', '--verify']);
    assert.match(wrong.stderr, /give --seal too/);
  });

  test('the program of docs/auditing.md computes it from the feed alone', {
    skip: !hasPython && 'python3 is not installed',
  }, () => {
    const guide = readFileSync(new URL('../../docs/auditing.md', import.meta.url), 'utf8');
    const program = guide.split('```python\n')[1]?.split('```')[0] ?? '';
    assert.ok(program.split('\n').length <= 41);
    writeFileSync(`${service.folder}/seal.py`, program);
    const env = { ...process.env, TRANSACTIONS_URL: service.url, TRANSACTIONS_API_KEY: service.key };
    const found = spawnSync('python3', [`${service.folder}/seal.py`], { env, encoding: 'utf8' });
    assert.equal(found.status, 0, found.stderr);
    const { account: _, ...kept } = JSON.parse(readKept());
    assert.deepEqual(JSON.parse(found.stdout), kept);
  });

  test('a line of GET /v1/seal is compared as one of the account of --account', async () => {
    const { account, ...own } = JSON.parse(readKept());
    const file = `${service.folder}/own.ndjson`;
    writeFileSync(file, JSON.stringify(own));
    const refused = await transactions('verify', '--against', file);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /Name the account of lines without one with --account\.$/m);
    const compared = await transactions('verify', '--account', account, '--against', file);
    assert.equal(compared.status, 0, compared.stderr);
    assert.match(compared.stdout, /^account "store-1", kept seal at .*: this history leads to it$/m);
    const altered = { ...own, seal: '0'.repeat(64) };
    writeFileSync(file, JSON.stringify(altered));
    assert.equal((await transactions('verify', '--account', account, '--against', file)).status, 1);
  });

  test('a file that is no list of seals is refused with its line', async () => {
    writeFileSync(`${service.folder}/other.ndjson`, '{"account":"store-1"}\n');
    const { status, stderr } = await transactions('verify', '--against', `${service.folder}/other.ndjson`);
    assert.equal(status, 1);
    assert.match(stderr, /^Line 1 of .*other\.ndjson is no line of "transactions seals"/);
  });

  test('a value that was altered with its seals is found by those who kept one', async () => {
    using db = new DatabaseSync(`${service.folder}/data/transactions.db`, { timeout: 10_000 });
    db.exec(`UPDATE transactions SET paid_at_ms = paid_at_ms + 1 WHERE final_sequence = 7`);
    const found = await transactions('verify', '--against', keptFile(), '--json');
    assert.equal(found.status, 1);
    assert.match(found.stdout, /"place":"sequence number 7, transaction /);
    assert.match(found.stdout, /"comparison":"altered"/);
    const read = await service.run(['changes', '--verify', '--json']);
    assert.equal(read.status, 1);
    assert.match(read.stderr, /a change up to it was altered/);
    assert.match(
      read.stderr,
      /^When the altered values are restored, continue from the beginning, with --verify\.$/m,
    );
    assert.doesNotMatch(read.stderr, /--seal/);
    // As if nothing of it had been sealed: the service seals what is there now.
    db.exec('BEGIN; DELETE FROM seals; DELETE FROM seal_blocks; COMMIT');
    const rewritten = await transactions('verify', '--against', keptFile());
    assert.equal(rewritten.status, 1);
    assert.match(rewritten.stdout, /this history does not lead to it: changes up to it were altered/);
  });
});
