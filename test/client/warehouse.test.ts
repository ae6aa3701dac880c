import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { transactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { openStore } from '../../src/store/open-store.ts';
import { changesOf, completed } from '../rig/data/changes.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { countOtherSessions, makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { archive } from '../rig/store/archive.ts';
import { erase } from '../rig/store/erase.ts';
import type { VerifiedStore } from '../verify/healthy-database.ts';

const ROOT = join(import.meta.dirname, '../..');
const [, PROGRAM = ''] =
  /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/warehouse.md'), 'utf8')) ?? [];
const ROWS = [
  'account',
  'reference',
  'merchant_reference',
  'status',
  'amount::text',
  'currency',
  'paid_at',
  'created_at',
  'related_to',
  'details',
];

type Row = Record<string, unknown>;
type Fault = { request: number; when: 'asked' | 'answered' };

class Rig {
  readonly #folder = temporaryFolder();
  readonly url = `sqlite:${this.#folder.path}/live.db`;
  readonly clock = testClock();
  readonly requests: string[] = [];
  warehouse = '';
  #child: ChildProcess | undefined;
  #fault: Fault | undefined;
  #program = '';
  #key = '';
  #address = '';
  store = undefined as unknown as VerifiedStore;
  #operator = undefined as unknown as Awaited<ReturnType<typeof buildTestOperatorApp>>;

  async begin(t: TestContext): Promise<void> {
    const module = (path: string) => `'${pathToFileURL(join(ROOT, path)).href}'`;
    this.#program = join(this.#folder.path, 'warehouse.mts');
    const source = PROGRAM.replace("'transactions-client/platform'", module('client/src/platform.ts'));
    writeFileSync(this.#program, source.replace("'pg'", module('node_modules/pg/lib/index.js')));
    this.warehouse = await makePostgresDatabase();
    const server = createServer(
      (request, response) => void this.#answer(String(request.url), request.headers, response),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    this.#address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    t.after(async () => {
      server.close();
      await this.store.close();
      this.#folder.remove();
    });
    await this.open();
    this.#key = await this.#operator.makeKey({ scopes: ['read'] });
  }

  async open(): Promise<void> {
    const options = { timeoutMs: 30_000, connections: 1, records: true };
    this.store = (await openStore(this.url, this.clock.now, options)).store as VerifiedStore;
    this.#operator = await buildTestOperatorApp(this.store, this.clock);
  }

  path = (name: string) => join(this.#folder.path, name);

  async backUp(): Promise<void> {
    await this.store.close();
    copyFileSync(this.path('live.db'), this.path('backup.db'));
    await this.open();
  }

  async restore(): Promise<void> {
    await this.store.close();
    copyFileSync(this.path('backup.db'), this.path('live.db'));
    await this.open();
  }

  async #answer(url: string, headers: Record<string, unknown>, response: ServerResponse): Promise<void> {
    this.requests.push(url);
    const fault = this.#fault?.request === this.requests.length ? this.#fault : undefined;
    if (fault?.when === 'asked') return void this.#child?.kill('SIGKILL');
    const answer = await this.#operator.server.inject({
      method: 'GET',
      url,
      headers: headers as Record<string, string>,
    });
    if (fault !== undefined) response.once('finish', () => this.#child?.kill('SIGKILL'));
    response.writeHead(answer.statusCode, answer.headers as Record<string, string>).end(answer.rawPayload);
  }

  async run(fault?: Fault): Promise<string | null> {
    this.requests.length = 0;
    this.#fault = fault;
    const child = spawn(process.execPath, [this.#program], {
      env: {
        TRANSACTIONS_OPERATOR_URL: this.#address,
        TRANSACTIONS_OPERATOR_KEY: this.#key,
        WAREHOUSE_URL: this.warehouse,
      },
    });
    this.#child = child;
    const [printed, [, signal]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    // The sessions of a killed program may still run statements, so this waits until the sessions have ended.
    while ((await countOtherSessions(this.warehouse)) > 0) await delay(5);
    await this.#checkPositions();
    return signal === null ? printed : null;
  }

  async #checkPositions(): Promise<void> {
    const created = await queryPostgres(this.warehouse, `SELECT to_regclass('loaded') IS NOT NULL AS is`);
    if (created[0]?.['is'] !== true) return;
    const wrong = await queryPostgres(
      this.warehouse,
      `SELECT loaded.account, loaded.sequence, found.* FROM loaded FULL JOIN (SELECT account, max(sequence) AS last,
         count(DISTINCT sequence) FILTER (WHERE id IS NOT NULL) AS changes, max(sequence) FILTER (WHERE id IS NULL) AS exported
       FROM changes GROUP BY account) AS found USING (account)
       WHERE loaded.account IS NULL OR loaded.sequence <> coalesce(last, loaded.sequence)
         OR (exported IS NULL AND loaded.sequence <> coalesce(changes, 0))`,
    );
    assert.deepEqual(wrong, []);
  }

  payments(): Promise<Row[]> {
    return queryPostgres(
      this.warehouse,
      `SELECT ${ROWS} FROM payments ORDER BY account, reference COLLATE "C"`,
    );
  }

  async expected(...accounts: string[]): Promise<Row[]> {
    const folded: Row[] = [];
    for (const account of accounts) {
      const latest = new Map(
        (await changesOf(this.store, account)).map(({ transaction: row }) => [row.reference, row]),
      );
      for (const [, row] of [...latest].sort(([one], [other]) => (one < other ? -1 : 1)))
        folded.push(rowOf(account, row));
    }
    return folded;
  }
}

function rowOf(account: string, row: Parameters<typeof transactionBody>[0]): Row {
  const body = transactionBody(row);
  const { reference, merchantReference, status, amount, currencyCode, paidAt, createdAt } = body;
  return {
    account,
    reference,
    merchant_reference: merchantReference,
    status,
    amount,
    currency: currencyCode,
    paid_at: paidAt === null ? null : new Date(paidAt),
    created_at: new Date(createdAt),
    related_to: body.relatedTo ?? null,
    details: body.details ?? null,
  };
}

const rowsOf = (account: string, count: number, from = 0, day = '2026-03-01'): AccountTransaction[] =>
  Array.from({ length: count }, (_, index) =>
    transaction(account, `p${from + index}`, {
      createdAtMs: DAY(day) + from + index,
      status: (from + index) % 3 === 0 ? 'pending' : 'completed',
      merchantReference: index % 2 === 0 ? null : 'größer "😀"',
      amountMinor: -index,
      relatedTo: index % 2 === 0 ? null : `${account}.p0`,
      details: index % 2 === 0 ? null : JSON.stringify({ customer: 'Ada', last4: '4242' }),
    }),
  );

const paid = (rows: readonly AccountTransaction[]): AccountTransaction[] =>
  rows.filter(({ status }) => status === 'pending').map(completed);

test('a warehouse equals the service after each run, even after a restore, kills and an erasure', async (t) => {
  const rig = new Rig();
  await rig.begin(t);
  await record(rig.store, [...rowsOf('a', 2100), ...rowsOf('b', 5), ...rowsOf('c', 2)]);
  assert.equal(await rig.run(), '');
  assert.deepEqual(await rig.payments(), await rig.expected('a', 'b', 'c'));

  await record(rig.store, paid(rowsOf('b', 1)));
  assert.equal(await rig.run(), '');
  assert.deepEqual(
    rig.requests.map((url) => url.split('?')[0]),
    ['/v1/accounts', '/v1/accounts/b/changes'],
  );
  assert.deepEqual(await rig.payments(), await rig.expected('a', 'b', 'c'));
  assert.equal(await rig.run(), '');
  assert.deepEqual(rig.requests, ['/v1/accounts']);

  await rig.backUp();
  await record(rig.store, [...paid(rowsOf('a', 900)), ...rowsOf('b', 3, 5), ...rowsOf('d', 4)]);
  assert.equal(await rig.run(), '');
  assert.deepEqual(await rig.payments(), await rig.expected('a', 'b', 'c', 'd'));
  await rig.restore();
  await record(rig.store, [...paid(rowsOf('a', 10)), ...rowsOf('a', 1200, 2100), ...rowsOf('b', 3, 5)]);
  for (let kill = 0; kill < inTier({ short: 3, long: 20 }); kill++) {
    const request = [3, 14, 3][kill] ?? 3 + (kill % 12);
    const ended = await rig.run({ request, when: request % 2 === 0 ? 'asked' : 'answered' });
    if (ended !== null) break;
  }
  assert.equal(await rig.run(), '');
  assert.deepEqual(await rig.payments(), await rig.expected('a', 'b', 'c'));

  await erase(rig.url, 'c', rig);
  assert.equal(await rig.run(), '');
  assert.deepEqual(await rig.payments(), await rig.expected('a', 'b'));
});

test('a warehouse that begins after an archive has the remaining changes, and an older one keeps the archived changes', async (t) => {
  const rig = new Rig();
  await rig.begin(t);
  const old = rowsOf('a', 30);
  const later = rowsOf('a', 1100, 1000, '2026-04-01');
  await record(rig.store, [...old, ...later]);
  await record(rig.store, paid(old));
  assert.equal(await rig.run(), '');
  mkdirSync(rig.path('archive'));
  await archive(['a'], {
    url: rig.url,
    store: rig.store,
    folder: rig.path('archive'),
    beforeMs: DAY('2026-03-02'),
  });
  await record(rig.store, rowsOf('a', 3, 2100, '2026-04-01'));
  const before = await rig.payments();
  assert.equal(await rig.run(), '');
  assert.equal((await rig.payments()).length, before.length + 3);

  const whole = rig.warehouse;
  rig.warehouse = await makePostgresDatabase();
  assert.equal(await rig.run({ request: 3, when: 'answered' }), null);
  assert.deepEqual(rig.requests.map((url) => url.split('?')[0]).at(-1), '/v1/accounts/a/transactions.ndjson');
  assert.equal(await rig.run(), '');
  const left = (
    await queryPostgres(whole, `SELECT ${ROWS} FROM payments ORDER BY account, reference COLLATE "C"`)
  ).filter(({ reference }) => !old.some((row) => row.reference === reference));
  assert.deepEqual(await rig.payments(), left);
  await record(rig.store, paid(later));
  assert.equal(await rig.run(), '');
  const unpaid = (await rig.payments()).filter(({ status }) => status === 'pending');
  assert.deepEqual(
    unpaid.map(({ reference }) => reference),
    ['a.p2100'],
  );
  assert.deepEqual(
    rig.requests.map((url) => url.split('?')[0]),
    ['/v1/accounts', '/v1/accounts/a/changes'],
  );
});
