import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import type { WebhookEndpoint } from '../../src/webhooks/webhook.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';
import { someEntry } from '../rig/store/audit.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';

const FAILING_SINCE = Date.parse('2026-06-15T12:34:56.789Z');
/** More than are read at once. */
const ACCOUNTS = Array.from({ length: 60 }, (_, index) => `store-${String(index).padStart(2, '0')}`);
const [FIRST = '', SECOND = ''] = ACCOUNTS;
const LAST = ACCOUNTS.at(-1) as string;

for (const engine of ['SQLite', 'PostgreSQL'])
  test(`webhooks list --failing names the endpoints of all accounts that fail, and no other, on ${engine}`, async (t) => {
    const folder = temporaryFolder();
    t.after(folder.remove);
    const databaseUrl = engine === 'SQLite' ? `sqlite:${folder.path}/x.db` : await makeMigratedDatabase();
    const list = (...args: string[]) =>
      run(['webhooks', 'list', ...args], { cwd: folder.path, env: { DATABASE_URL: databaseUrl } });
    const { store } = await openStore(databaseUrl, Date.now);
    await record(
      store,
      ACCOUNTS.map((account) => transaction(account, `${account}.r1`)),
    );
    const create = async (number: number, account: string, fields: Partial<WebhookEndpoint> = {}) =>
      assert.ok(await store.createWebhook(webhook(number, { account, ...fields }), 20, someEntry()));
    await create(1, FIRST);
    await create(2, FIRST, { disabled: { reason: 'requested', atMs: 1 } });
    assert.match((await list('--failing')).stderr, /No endpoint fails\./);

    await create(3, FIRST);
    assert.ok(await store.storeProgress(FIRST, idOf(3), 1, progress(1, { failed: [failure(1)] })));
    await create(4, SECOND);
    assert.ok(await store.storeProgress(SECOND, idOf(4), 1, progress(1, { failingSinceMs: FAILING_SINCE })));
    await create(5, LAST, { disabled: { reason: 'gone', atMs: 1 } });
    await create(6, LAST, { disabled: { reason: 'failing', atMs: 1 } });
    await store.close();

    const json = jsonLines((await list('--failing', '--json')).stdout);
    assert.deepEqual(
      json.map(({ account, id }) => [account, id]),
      [
        [FIRST, idOf(3)],
        [SECOND, idOf(4)],
        [LAST, idOf(5)],
        [LAST, idOf(6)],
      ],
    );
    const [header, ...rows] = (await list('--failing')).stdout.trimEnd().split('\n');
    assert.match(header as string, /^ACCOUNT +ID +STATE +BEHIND +FAILURES +FAILING SINCE +LABEL OR URL$/);
    assert.match(rows[0] as string, new RegExp(`^${FIRST} +${idOf(3)} +enabled +0 +1 +- `));
    assert.match(rows[1] as string, / enabled +0 +0 +2026-06-15T12:34Z /);
    assert.equal(rows.length, 4);

    const neither = await list();
    assert.deepEqual([neither.status, neither.stdout], [2, '']);
    assert.match(neither.stderr, /Write --account with the id of an account, or --failing\./);
    assert.equal((await list('--failing', '--account', FIRST)).status, 2);
  });
