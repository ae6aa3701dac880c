import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePostgresDatabase, queryPostgres } from '../rig/postgres.ts';
import { type PostgresServer, startPostgres } from '../rig/postgres-server.ts';
import { createKey, createOperatorKey, type Served, startServe } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { until } from './recording-load.ts';

const ACCOUNTS = ['store-1', 'store-2', 'store-3'] as const;
const BATCH_LINES = 20;
const RECORDINGS = 300;
/** The level of an error in the log. */
const ERROR = 50;

const rowOf = (status: string) => ({
  status,
  amount: '1.00',
  currencyCode: 'EUR',
  createdAt: '2026-03-01T00:00:00.000Z',
  paidAt: status === 'pending' ? null : '2026-03-01T00:00:00.000Z',
});

/** Records in several accounts at once, and knows what was acknowledged: of single recordings the ids, of batches the references. */
class Load {
  readonly ids = new Set<string>();
  readonly references = new Set<string>();
  readonly #headers: Record<string, string>;
  readonly #url: string;
  #count = 0;
  #isStopped = false;
  #failure: unknown;
  readonly #writers: Promise<unknown>;

  constructor({ operatorUrl }: Served, operatorKey: string) {
    this.#url = operatorUrl;
    this.#headers = { authorization: `Bearer ${operatorKey}` };
    this.#writers = Promise.all(
      ACCOUNTS.flatMap((account) => [
        this.#repeat(() => this.#single(account)),
        this.#repeat(() => this.#batch(account)),
      ]),
    );
  }

  get acknowledged(): number {
    return this.ids.size + this.references.size;
  }

  /** Waits until more recordings are acknowledged. */
  async untilMore(recordings: number): Promise<void> {
    const before = this.acknowledged;
    await until(() => this.#isStopped || this.acknowledged >= before + recordings);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writers;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #repeat(record: () => Promise<void>): Promise<void> {
    while (!this.#isStopped)
      await record().catch((error) => {
        this.#failure ??= error;
        this.#isStopped = true;
      });
  }

  async #single(account: string): Promise<void> {
    const reference = `single-${this.#count++}`;
    for (const status of ['pending', 'completed']) {
      const response = await fetch(`${this.#url}/v1/accounts/${account}/transactions/${reference}`, {
        method: 'PUT',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: JSON.stringify(rowOf(status)),
      });
      await response.text();
      if (response.status === 503) return;
      assert.ok(response.ok, String(response.status));
      this.ids.add(response.headers.get('change-id') as string);
    }
  }

  async #batch(account: string): Promise<void> {
    const references = Array.from({ length: BATCH_LINES }, () => `line-${this.#count++}`);
    const response = await fetch(`${this.#url}/v1/batch`, {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/x-ndjson' },
      body: references
        .map((reference) => JSON.stringify({ account, reference, ...rowOf('pending') }))
        .join('\n'),
    });
    const lines = (await response.text()).split('\n').filter((line) => line.endsWith('}'));
    if (response.status === 503) return;
    assert.equal(response.status, 200);
    for (const { line, outcome } of lines.map((text) => JSON.parse(text)))
      if (outcome === 'recorded') this.references.add(references[line - 1] as string);
  }
}

interface Feed {
  ids: Set<string>;
  references: Set<string>;
}

interface Page {
  data: { id: string; transaction: { reference: string } }[];
  lastSequence: number;
  hasMore: boolean;
}

async function readFeeds({ url }: Served, keys: readonly string[]): Promise<Feed> {
  const feed: Feed = { ids: new Set(), references: new Set() };
  for (const key of keys)
    for (let after = 0, hasMore = true; hasMore; ) {
      const response = await fetch(`${url}/v1/changes?limit=1000&after=${after}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const page = (await response.json()) as Page;
      assert.equal(response.status, 200, JSON.stringify(page));
      for (const { id, transaction } of page.data) {
        feed.ids.add(id);
        feed.references.add(transaction.reference);
      }
      ({ lastSequence: after, hasMore } = page);
    }
  return feed;
}

/** What the log says was lost. */
const namedIn = (served: Served): { reference: string; changeId: string; level: number }[] =>
  served
    .logged()
    .split('\n')
    .filter((line) => line.includes('has lost a recording'))
    .map((line) => JSON.parse(line));

async function countedBy({ operatorUrl }: Served): Promise<number> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text();
  return Number(/^transactions_lost_recordings_total (\d+)$/m.exec(text)?.[1]);
}

/** Lets the standby receive nothing more. */
async function detach(standby: PostgresServer, primary: PostgresServer): Promise<void> {
  await queryPostgres(`${standby.url}/postgres`, "ALTER SYSTEM SET primary_conninfo = ''");
  await queryPostgres(`${standby.url}/postgres`, 'SELECT pg_reload_conf()');
  const walSenders = 'SELECT 1 FROM pg_stat_replication';
  await until(async () => (await queryPostgres(`${primary.url}/postgres`, walSenders)).length === 0);
}

test('each acknowledged recording that a promoted standby lacks is named once in the log, and no other', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const primary = await startPostgres();
  t.after(() => primary.stop());
  const { pathname } = new URL(await makePostgresDatabase(primary.url));
  const options = { cwd: folder.path, env: { DATABASE_URL: `${primary.url}${pathname}` } };
  const operatorKey = await createOperatorKey(options);
  const keys: string[] = [];
  for (const account of ACCOUNTS) keys.push(await createKey(account, options));
  const standby = await startPostgres({ standbyOf: primary });
  t.after(() => standby.stop());
  const both = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}${pathname}`;
  const env = { DATABASE_URL: both, OPERATOR_PORT: '0', REQUEST_TIMEOUT: '5000' };
  const served = await startServe({ cwd: folder.path, env });
  t.after(() => served.stop());

  const load = new Load(served, operatorKey);
  await load.untilMore(RECORDINGS);
  await detach(standby, primary);
  await load.untilMore(RECORDINGS);
  assert.equal(await countedBy(served), 0);
  await primary.kill();
  await queryPostgres(`${standby.url}/postgres`, 'SELECT pg_promote()');
  await load.untilMore(RECORDINGS);
  await load.stop();

  const feed = await readFeeds(served, keys);
  const lostIds = load.ids.difference(feed.ids);
  const lostReferences = load.references.difference(feed.references);
  const lost = lostIds.size + lostReferences.size;
  assert.ok(lost >= RECORDINGS / 2, `only ${lost} recordings were lost`);
  await until(() => namedIn(served).length >= lost);
  const named = namedIn(served);
  const [lines, singles] = [true, false].map((isLine) =>
    named.filter(({ reference }) => reference.startsWith('line-') === isLine),
  );
  assert.deepEqual(new Set(singles?.map(({ changeId }) => changeId)), lostIds);
  assert.deepEqual(new Set(lines?.map(({ reference }) => reference)), lostReferences);
  assert.equal(named.length, lost);
  assert.ok(named.every(({ level }) => level === ERROR));
  assert.equal(await countedBy(served), lost);
  t.diagnostic(`${load.acknowledged} recordings were acknowledged, ${lost} of them lost`);
});
