import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { verifyWebhook } from '../../client/src/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { type Outcome, runAll } from '../rig/service/process.ts';
import { startReceiver } from '../rig/webhooks/receiver.ts';
import { failure, progress } from '../rig/webhooks/webhooks.ts';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const MAX_COLUMNS = 80;

/** A receiver that answers the status of its path. */
const receiver = createServer((request, response) => {
  response.writeHead(Number(request.url?.slice(1))).end();
});

for (const engine of someInTier(['SQLite', 'PostgreSQL'], 1)) {
  describe(`webhooks on ${engine}`, () => {
    const folder = temporaryFolder();
    let databaseUrl = '';
    let env: Record<string, string> = {};
    let url = '';

    before(async () => {
      await new Promise((resolve) => receiver.listen(0, '127.0.0.1', () => resolve(null)));
      url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    });
    after(() => {
      receiver.close();
      folder.remove();
    });
    beforeEach(async () => {
      databaseUrl = engine === 'SQLite' ? await makeSqliteDatabase() : await makeMigratedDatabase();
      env = { DATABASE_URL: databaseUrl, WEBHOOK_NETWORKS: '127.0.0.1', WEBHOOK_HTTP: 'true' };
    });

    const makeSqliteDatabase = async () => {
      const sqliteUrl = `sqlite:${folder.path}/${Math.random()}.db`;
      await (await openStore(sqliteUrl, Date.now)).store.close();
      return sqliteUrl;
    };

    /** Runs commands of webhooks for store-1, and returns the output of each. */
    const webhooks = async (...lines: string[][]): Promise<Outcome[]> =>
      runAll(
        lines.map((args) => ({ args: ['webhooks', ...args, '--account', 'store-1'], env })),
        { cwd: folder.path },
      );
    const one = async (...args: string[]): Promise<Outcome> => {
      const [output] = await webhooks(args);
      assert.ok(output !== undefined);
      return output;
    };
    const create = async () => JSON.parse((await one('create', '--url', `${url}/204`, '--json')).stdout);

    test('an endpoint is created, listed, changed and deleted; its secret is shown once', async () => {
      const printed = await one('create', '--url', `${url}/204`, '--types', 'transaction.completed');
      assert.equal(printed.status, 0);
      assert.match(printed.stdout.trim(), SECRET);
      assert.match(printed.stderr, /only time that the secret is shown.*webhooks test we_/);
      const { secret, ...created } = JSON.parse(
        (
          await one(
            'create',
            '--url',
            `${url}/500?${'x'.repeat(100)}`,
            '--label',
            'till',
            '--ordered',
            '--json',
          )
        ).stdout,
      );
      assert.match(secret, SECRET);
      const [json, table] = await webhooks(['list', '--json'], ['list']);
      const listed = jsonLines(json?.stdout ?? '');
      assert.deepEqual(listed[1], created);
      assert.deepEqual([listed[0].types, listed[1].types], [['transaction.completed'], null]);
      const lines = (table?.stdout ?? '').trim().split('\n');
      assert.match(lines[0] ?? '', /^ID +STATE +BEHIND +FAILURES +FAILING SINCE +LABEL OR URL$/);
      assert.equal(lines.length, 3);
      assert.match(lines[1] ?? '', / enabled +0 +0 +- +127\.0\.0\.1:/);
      assert.match(lines[2] ?? '', / enabled +0 +0 +- +till$/);
      for (const line of lines) assert.ok(line.length <= MAX_COLUMNS, line);

      assert.deepEqual([created.signing, created.publicKey], ['v1', null]);
      const { id } = created;
      const [disabled, enabled, changed, shown] = await webhooks(
        ['update', id, '--disable', '--no-label', '--json'],
        ['update', id, '--enable', '--no-ordered', '--types', 'transaction.pending', '--json'],
        ['update', id, '--types', 'all', '--label', 'x', '--url', `${url}/200`, '--json'],
        ['update', id, '--label', 'y'],
      );
      const parsed = [disabled, enabled, changed].map((output) => JSON.parse(output?.stdout ?? ''));
      assert.deepEqual([parsed[0].state, parsed[0].label, parsed[0].ordered], ['disabled', null, true]);
      assert.deepEqual([parsed[1].state, parsed[1].ordered], ['enabled', false]);
      assert.deepEqual(parsed[1].types, ['transaction.pending']);
      assert.deepEqual([parsed[2].types, parsed[2].label, parsed[2].url], [null, 'x', `${url}/200`]);
      assert.match(shown?.stdout ?? '', new RegExp(`^${id} +enabled +0 +0 +- +y$`, 'm'));

      const [deleted, again, rest] = await webhooks(['delete', id], ['delete', id], ['list', '--json']);
      assert.equal(deleted?.stdout, `${id} of account store-1 is deleted.\n`);
      assert.deepEqual([again?.status, again?.stdout], [1, '']);
      assert.match(again?.stderr ?? '', /has no endpoint we_/);
      assert.equal(jsonLines(rest?.stdout ?? '').length, 1);
      for (const { stdout, stderr } of [
        json,
        table,
        disabled,
        enabled,
        changed,
        shown,
        deleted,
        again,
        rest,
      ] as Outcome[])
        assert.ok(!(stdout + stderr).includes(secret.slice('whsec_'.length)));
    });

    test('with v1a, the public key is printed and never the secret, it verifies a delivery, and rotation adds another', async () => {
      const receiver = await startReceiver();
      const [printed, json, refused] = await webhooks(
        ['create', '--url', receiver.url, '--signing', 'v1a'],
        ['create', '--url', receiver.url, '--signing', 'v1a', '--json'],
        ['create', '--url', receiver.url, '--signing', 'v2'],
      );
      assert.match(printed?.stdout ?? '', /^whpk_[A-Za-z\d+/]{43}=\n$/);
      assert.match(printed?.stderr ?? '', /This is the public key, which verifies deliveries/);
      assert.deepEqual([refused?.status, refused?.stdout], [2, '']);
      assert.match(refused?.stderr ?? '', /--signing .*v1.*v1a/);
      const { id, signing, secret, publicKey } = JSON.parse(json?.stdout ?? '');
      assert.deepEqual([signing, secret], ['v1a', null]);
      const [tested, rotated, again] = await webhooks(['test', id], ['rotate-secret', id], ['test', id]);
      assert.deepEqual([tested?.status, again?.status], [0, 0]);
      const next = rotated?.stdout.trim() ?? '';
      assert.notEqual(next, publicKey);
      const verify = (index: number, key: string) => {
        const { body = '', headers = {} } = receiver.received[index] ?? {};
        return verifyWebhook(body, headers, key).type;
      };
      for (const [index, key] of [
        [0, publicKey],
        [1, publicKey],
        [1, next],
      ] as const)
        assert.equal(verify(index, key), 'webhook.test');
      assert.throws(() => verify(0, next), /No signature matches/);
      await receiver.close();
    });

    test('the list says how far each endpoint is behind, and since when it fails', async () => {
      const [failing, ahead, long] = [await create(), await create(), await create()];
      const { store } = await openStore(databaseUrl, Date.now);
      const references = Array.from({ length: 12 }, (_, index) => `store-1.r${index}`);
      await record(
        store,
        references.map((reference) => transaction('store-1', reference)),
      );
      const since = Date.parse('2026-06-15T12:34:56.789Z');
      const failed = [failure(2), failure(3)];
      const fails = progress(3, { failed, failingSinceMs: since });
      assert.ok(await store.storeProgress('store-1', failing.id, 1, fails));
      assert.ok(await store.storeProgress('store-1', ahead.id, 1, progress(20)));
      await store.close();
      const [, json, table] = await webhooks(
        ['update', long.id, '--label', 'x'.repeat(100), '--disable'],
        ['list', '--json'],
        ['list'],
      );
      const listed = jsonLines(json?.stdout ?? '') as {
        headSequence: number;
        acknowledgedSequence: number;
      }[];
      assert.deepEqual(
        listed.map(({ headSequence }) => headSequence),
        [12, 12, 12],
      );
      const lines = (table?.stdout ?? '').trim().split('\n');
      for (const line of lines) assert.ok(line.length <= MAX_COLUMNS, line);
      const rowOf = (id: string) => lines.find((line) => line.startsWith(id)) ?? '';
      assert.match(rowOf(failing.id), / enabled +9 +2 +2026-06-15T12:34Z +127\./);
      assert.match(rowOf(ahead.id), / enabled +0 +0 +- +127\./);
      assert.match(rowOf(long.id), / disabled +12 +0 +- +x{8,}\.\.\.$/);
    });

    test('a URL that the settings of the command forbid: the error names the settings', async () => {
      const { id } = await create();
      const run = async (settings: Record<string, string>, ...args: string[]) => {
        const command = {
          args: ['webhooks', ...args, '--account', 'store-1'],
          env: { DATABASE_URL: databaseUrl, ...settings },
        };
        const [output] = await runAll([command], { cwd: folder.path });
        return [output?.status, output?.stderr.trim().split('\n')] as const;
      };
      const own =
        'A command uses the settings of the environment in which it runs, which allow this URL with';
      const both = `${own} WEBHOOK_HTTP=true and WEBHOOK_NETWORKS with its address.`;
      const networks = `${own} WEBHOOK_NETWORKS with its address.`;
      const begins = 'must begin with https://.';
      const local =
        'must begin with https://; for a receiver on your own machine, run transactions webhooks listen.';
      assert.deepEqual(await run({}, 'test', id), [
        1,
        [`The test was not delivered: the URL ${local}`, both],
      ]);
      const [status, lines] = await run({ WEBHOOK_HTTP: 'true' }, 'test', id);
      assert.deepEqual([status, lines?.[1]], [1, networks]);
      assert.deepEqual(await run({}, 'create', '--url', `${url}/204`), [2, [`--url ${local} ${both}`]]);
      assert.deepEqual(await run({}, 'update', id, '--url', 'http://shop.example/'), [
        2,
        [`--url ${begins} ${own} WEBHOOK_HTTP=true.`],
      ]);
      assert.deepEqual(await run({}, 'update', id, '--url', 'ftp://shop.example/'), [2, [`--url ${begins}`]]);
    });

    test('a test says what the receiver answered, and fails if it does not accept', async () => {
      const { id } = await create();
      const [accepted, json, , refused] = await webhooks(
        ['test', id],
        ['test', id, '--json'],
        ['update', id, '--url', `${url}/500`],
        ['test', id],
      );
      assert.deepEqual([accepted?.status, json?.status, refused?.status], [0, 0, 1]);
      assert.match(accepted?.stdout ?? '', /^The receiver answered 204 after \d+ ms\.$/m);
      const { delivered, status, error } = JSON.parse(json?.stdout ?? '');
      assert.deepEqual([delivered, status, error], [true, 204, null]);
      assert.equal(refused?.stderr, 'The test was not delivered: the receiver answered 500.\n');
    });

    test('a secret is rotated, failures are listed and retried, and an endpoint is moved back', async () => {
      const { id, secret } = await create();
      const { store } = await openStore(databaseUrl, Date.now);
      const failed = [3, 5, 8].map((sequence) => failure(sequence, { error: 'x'.repeat(200) }));
      assert.ok(await store.storeProgress('store-1', id, 1, progress(9, { failed })));
      await store.close();
      const [rotated, json, list, page, none, retried, absent, replayed, skipping] = await webhooks(
        ['rotate-secret', id],
        ['rotate-secret', id, '--json'],
        ['failures', id],
        ['failures', id, '--after', '3', '--limit', '1', '--json'],
        ['failures', id, '--after', '8'],
        ['retry', id, '5'],
        ['retry', id, '6'],
        ['replay', id, '--after', '4', '--json'],
        ['replay', id, '--after', '7'],
      );
      assert.match(rotated?.stdout.trim() ?? '', SECRET);
      assert.notEqual(rotated?.stdout.trim(), secret);
      assert.match(rotated?.stderr ?? '', /one before also signs until \d{4}-/);
      assert.match(JSON.parse(json?.stdout ?? '').secret, SECRET);
      const lines = (list?.stdout ?? '').trim().split('\n');
      assert.match(lines[0] ?? '', /^SEQUENCE +ATTEMPTS +NEXT ATTEMPT +ERROR$/);
      assert.equal(lines.length, 4);
      for (const line of lines) assert.ok(line.length <= MAX_COLUMNS, line);
      assert.deepEqual(
        jsonLines(page?.stdout ?? '').map(({ sequence }: { sequence: number }) => sequence),
        [5],
      );
      assert.equal(page?.stderr, 'There are more: continue with --after 5.\n');
      assert.match(none?.stderr ?? '', /has no failures after 8\.$/m);
      assert.equal(retried?.status, 0);
      assert.deepEqual([absent?.status, absent?.stdout], [1, '']);
      const { acknowledgedSequence, failureCount } = JSON.parse(replayed?.stdout ?? '');
      assert.deepEqual([acknowledgedSequence, failureCount], [4, 1]);
      assert.deepEqual([skipping?.status, skipping?.stdout], [1, '']);
      assert.match(skipping?.stderr ?? '', /^--after is 7, but /m);
    });

    test('each fault has its option, all at once; a command that is used wrongly changes nothing', async () => {
      const { id } = await create();
      const absent = 'we_0000000000000000';
      const [fields, both, nothing, wrongId, ...others] = await webhooks(
        ['create', '--url', 'ftp://x', '--types', 'x,transaction.pending,transaction.pending', '--label', ''],
        ['update', id, '--enable', '--disable'],
        ['update', id],
        ['update', 'key_0000000000000000', '--enable'],
        ['replay', id],
        ['replay', id, '--after', '-1'],
        ['failures', id, '--limit', '0'],
        ['retry', id, 'x'],
        ['create'],
      );
      assert.deepEqual((fields?.stderr ?? '').trim().split('\n'), [
        '--url must begin with https:// or http://.',
        '--types, entry 1, "x" is not a type of this service; the types are transaction.pending, transaction.completed.',
        '--types, entry 3, is in the list twice.',
        '--label must be 1 to 100 characters without control characters.',
      ]);
      for (const output of [fields, both, nothing, wrongId, ...others])
        assert.deepEqual([output?.status, output?.stdout], [2, ''], output?.stderr);
      const missing = await webhooks(
        ['update', absent, '--enable'],
        ['delete', absent],
        ['test', absent],
        ['replay', absent, '--after', '0'],
        ['rotate-secret', absent],
        ['failures', absent],
      );
      for (const { status, stderr } of missing) {
        assert.equal(status, 1);
        assert.match(stderr, /The account store-1 has no endpoint we_0/);
      }
      assert.equal(jsonLines((await one('list', '--json')).stdout).length, 1);
    });

    test('an account has at most 20 endpoints', async () => {
      const lines = Array.from({ length: 21 }, () => ['create', '--url', `${url}/204`]);
      const outputs = await webhooks(...lines);
      assert.deepEqual(
        outputs.map(({ status }) => status),
        [...Array.from({ length: 20 }, () => 0), 1],
      );
      assert.match(outputs.at(-1)?.stderr ?? '', /has 20 endpoints already/);
    });
  });
}
