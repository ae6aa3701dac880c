import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { sampleCsv } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';

describe('looking things up', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  before(async () => {
    folder = temporaryFolder();
    writeFileSync(`${folder.path}/sample.csv`, sampleCsv(40));
    await run(['import', 'sample.csv'], { cwd: folder.path });
    await run(['keys', 'create', '--account', 'only-a-key'], { cwd: folder.path });
  });
  after(() => folder.remove());

  const transactions = (...args: string[]) => run(args, { cwd: folder.path });

  test('accounts lists each account with its last change, as a table and as JSON', async () => {
    const { stdout, status } = await transactions('accounts', '--json');
    const accounts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(status, 0);
    assert.deepEqual(accounts[0], { account: 'only-a-key', headSequence: 0, headId: null });
    assert.equal(
      accounts.reduce((sum, { headSequence }) => sum + headSequence, 0),
      40,
    );
    const table = (await transactions('accounts')).stdout.trim().split('\n');
    assert.match(table[0] as string, /^ACCOUNT +LAST CHANGE$/);
    assert.equal(table.length, accounts.length + 1);
    assert.match(table[1] as string, /^only-a-key +0$/);
  });

  test('show prints every field of a transaction, and fails if the account does not have it', async () => {
    const [header = '', line = ''] = sampleCsv(40).split('\n');
    const fields = Object.fromEntries(header.split(',').map((name, at) => [name, line.split(',')[at]]));
    const { account = '', reference = '' } = fields;
    const shown = JSON.parse((await transactions('show', reference, '--account', account, '--json')).stdout);
    assert.deepEqual([shown.account, shown.reference, shown.amount], [account, reference, fields['amount']]);
    const { changes, deliveries, ...shownFields } = shown;
    const lines = (await transactions('show', reference, '--account', account)).stdout.trim().split('\n');
    assert.deepEqual(
      lines.slice(0, lines.indexOf('')).map((one) => one.split(/ {2,}/)),
      Object.entries(shownFields).map(([name, value]) => [name, value ?? '-']),
    );
    assert.match(lines[lines.indexOf('') + 1] as string, /^CHANGE +TYPE +RECORDED +ID$/);
    assert.deepEqual([changes.length, deliveries], [1, []]);
    assert.equal(lines.length, Object.keys(shownFields).length + 3);
    const missing = await transactions('show', reference, '--account', 'only-a-key');
    assert.deepEqual([missing.status, missing.stdout], [1, '']);
    assert.match(missing.stderr, /The account only-a-key has no transaction with the reference /);
    assert.equal((await transactions('show', reference, '--account', 'a b')).status, 2);
  });

  test('keys create says that an account is new, once, and creates the key', async () => {
    for (const [account, isNew] of [
      ['store-new', true],
      ['store-new', false],
      ['store-1', false],
      ['only', true],
    ] as const) {
      const { status, stdout, stderr } = await transactions('keys', 'create', '--account', account);
      assert.equal(status, 0);
      assert.match(stdout, /^tk_live_/);
      assert.equal(stderr.includes(`The account ${account} is new`), isNew, account);
    }
  });
});
