import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import { FILTER_PARAMETERS, type ListFilter, NO_FILTER } from '../../src/ledger/list/list-filter.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import { expectedList } from '../rig/data/expected-list.ts';
import type { PageBody } from '../rig/data/known-transactions.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { fc } from '../rig/run/properties.ts';
import { buildTestApp, testClock } from '../rig/service/app.ts';

const ACCOUNTS = ['store-1', 'store-2'] as const;
const FIRST_DAY = DAY('2026-03-01');
const HOUR_MS = 3_600_000;

/** An event between two pages of a walk. */
type Event =
  | { kind: 'insert'; rows: AccountTransaction[] }
  | { kind: 'complete'; share: number }
  | { kind: 'restart' }
  | { kind: 'rotate' }
  | { kind: 'nothing' };

/** Few distinct times, so that most rows share theirs with others; some are far apart. */
const createdAtMs = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }).map((hours) => FIRST_DAY + hours * 8 * HOUR_MS) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 400 * 24 }).map((hours) => FIRST_DAY + hours * HOUR_MS) },
  { weight: 1, arbitrary: fc.constantFrom(FIRST_DAY - 1, FIRST_DAY + 86_399_999, FIRST_DAY + 86_400_000) },
);

const row = fc
  .record({
    account: fc.constantFrom(...ACCOUNTS),
    name: fc.stringMatching(/^[A-Za-z0-9._-]{1,6}$/),
    createdAtMs,
    status: fc.constantFrom('pending', 'completed', 'completed'),
    currencyCode: fc.constantFrom('EUR', 'EUR', 'USD'),
    amountMinor: fc.integer({ min: -1000, max: 1_000_000 }),
    merchantReference: fc.constantFrom(null, 'order-1', 'größer "x", 😀'),
    relatedTo: fc.constantFrom(null, null, 'payment-1'),
    details: fc.constantFrom(null, null, '{"customer":"Ada Lovelace","last4":"4242"}'),
  })
  .map(({ account, name, ...fields }) => transaction(account, name, fields));

const rows = (maxLength: number) =>
  fc.uniqueArray(row, {
    maxLength,
    // Lists of several pages need many rows; by default, the library makes short arrays.
    size: 'max',
    selector: ({ account, reference }) => `${account} ${reference}`,
  });

/** Independent of the rows: some lists are full, some empty, some end within a day. */
const day = fc
  .integer({ min: -2, max: 5 })
  .map((days) => new Date(FIRST_DAY + days * 24 * HOUR_MS).toISOString().slice(0, 10));
const filterValues = fc
  .record({
    status: fc.constantFrom('pending', 'completed', 'completed'),
    currency: fc.constantFrom('EUR', 'EUR', 'USD', 'JPY'),
    from: day,
    to: day,
    timeZone: fc.constantFrom('Europe/Berlin', 'Pacific/Apia'),
    merchantReference: fc.constantFrom('order-1', 'größer "x", 😀', 'order'),
  })
  .map(({ from, to, ...others }) => ({ ...others, from: from < to ? from : to, to: from < to ? to : from }));

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: rows(12).map((inserted) => ({ kind: 'insert', rows: inserted }) as const),
  },
  {
    weight: 8,
    arbitrary: fc.integer({ min: 1, max: 4 }).map((share) => ({ kind: 'complete', share }) as const),
  },
  // Rebuilding the service takes a hundred times as long as a page.
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { kind: 'restart' } as const,
      { kind: 'rotate' } as const,
      { kind: 'nothing' } as const,
    ),
  },
);

const identity = ({ account, reference }: AccountTransaction) => `${account} ${reference}`;

/** Opens the database of a walk, without any rows or keys. */
type OpenWalkStore = () => Promise<{ store: Store; dispose: () => Promise<void> }>;

/**
 * Walks random lists while transactions are recorded and completed, the service restarts and its secret is rotated.
 * Each page is compared with a copy of the data in memory. `runs` is the number of walks over all subsets of the filters.
 */
export function walkProperties(name: string, openWalkStore: OpenWalkStore, runs: number): void {
  for (let bits = 0; bits < 2 ** FILTER_PARAMETERS.length; bits++) {
    const given = FILTER_PARAMETERS.filter((_, index) => bits & (1 << index));
    const title = `random walks on ${name} lose, repeat and invent no row: ${given.join(', ') || 'no filter'}`;
    test(title, { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(
          rows(200),
          fc.constantFrom(...ACCOUNTS),
          filterValues,
          fc.array(event, { minLength: 1, maxLength: 8 }),
          async (initial, account, values, events) => {
            const filter: ListFilter = { ...NO_FILTER };
            for (const parameter of given) filter[parameter] = values[parameter];
            const { store, dispose } = await openWalkStore();
            try {
              await walk(store, initial, account, filter, events);
            } finally {
              await dispose();
            }
          },
        ),
        { numRuns: Math.ceil(runs / 2 ** FILTER_PARAMETERS.length) },
      );
    });
  }
}

/** The walked data: the store, and a copy in memory of every recorded version. */
class WalkedData {
  readonly current = new Map<string, AccountTransaction>();
  readonly versions = new Map<string, AccountTransaction[]>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async write(written: readonly AccountTransaction[]): Promise<void> {
    await record(this.#store, written);
    for (const one of written) {
      this.current.set(identity(one), one);
      this.versions.set(identity(one), [...(this.versions.get(identity(one)) ?? []), one]);
    }
  }

  insert(inserted: readonly AccountTransaction[]): Promise<void> {
    return this.write(inserted.filter((one) => !this.current.has(identity(one))));
  }

  complete(share: number): Promise<void> {
    const pending = [...this.current.values()].filter((one) => one.status === 'pending');
    return this.write(
      pending
        .filter((_, index) => index % share === 0)
        .map((one) => ({ ...one, status: 'completed', paidAtMs: one.createdAtMs + 1 })),
    );
  }

  /** The recorded version that a response shows. */
  versionOf(account: string, shown: TransactionBody): AccountTransaction {
    const known = this.versions.get(`${account} ${shown.reference}`) ?? [];
    const version = known.find((one) => one.status === shown.status);
    assert.ok(version, `${shown.reference} was never ${shown.status}`);
    assert.equal(shown.paidAt === null, shown.status === 'pending');
    assert.equal(Date.parse(shown.createdAt), version.createdAtMs);
    assert.equal(shown.amount, (version.amountMinor / 100).toFixed(2));
    assert.equal(shown.currencyCode, version.currencyCode);
    assert.equal(shown.merchantReference, version.merchantReference);
    return version;
  }
}

async function walk(
  store: Store,
  initial: readonly AccountTransaction[],
  account: string,
  filter: ListFilter,
  events: readonly Event[],
): Promise<void> {
  const clock = testClock();
  const secrets = ['the first secret of at least 32 characters'];
  let app = await buildTestApp({ store, clock, cursorSecrets: secrets });
  const key = await app.makeKey(account);
  const data = new WalkedData(store);

  const apply = async (event: Event) => {
    if (event.kind === 'insert') await data.insert(event.rows);
    if (event.kind === 'complete') await data.complete(event.share);
    if (event.kind === 'rotate')
      secrets.unshift(`another secret of at least 32 characters ${secrets.length}`);
    if (event.kind === 'rotate' || event.kind === 'restart')
      app = await buildTestApp({ store, clock, cursorSecrets: secrets });
  };

  const otherKey = await app.makeKey(account === 'store-1' ? 'store-2' : 'store-1');
  /** A cursor works only for its account and its filters. */
  const refuseMisuse = async (cursor: string) => {
    const foreign = await app.send(`/v1/transactions?cursor=${cursor}`, { key: otherKey });
    assert.equal(foreign.body.code, 'cursor_malformed');
    const other = filter.status === 'pending' ? 'completed' : 'pending';
    const changed = await app.send(`/v1/transactions?cursor=${cursor}&status=${other}`, { key });
    assert.equal(changed.body.code, 'cursor_filter_mismatch');
  };

  await data.write(initial);
  const atStart = expectedList([...data.current.values()], account, filter);
  const query = new URLSearchParams();
  for (const [parameter, value] of Object.entries(filter)) if (value !== null) query.set(parameter, value);

  const seen: AccountTransaction[] = [];
  let url: string | undefined = `/v1/transactions?${query}`;
  for (let page = 0; url !== undefined; page++) {
    assert.ok(page < 40, 'the walk does not end');
    const { status, body } = await app.send(url, { key });
    assert.equal(status, 200);
    checkPage(body, expectedList([...data.current.values()], account, filter, seen.at(-1) ?? null));
    for (const shown of body.data) seen.push(data.versionOf(account, shown));
    if (body.nextCursor === null) break;

    const again = await app.send(url, { key });
    assert.deepEqual(again.body.data, body.data, 'the same query on unchanged data gave another page');
    await refuseMisuse(body.nextCursor);
    await apply(events[page % events.length] as Event);
    // A cursor works alone and with its filters.
    url = `/v1/transactions?cursor=${body.nextCursor}${page % 2 === 0 ? '' : `&${query}`}`;
  }

  const references = seen.map(identity);
  assert.equal(new Set(references).size, references.length, 'a row was returned twice');
  const unchanged = atStart.filter((one) => data.versions.get(identity(one))?.length === 1);
  for (const one of unchanged) assert.ok(references.includes(identity(one)), `${one.reference} was lost`);
}

/** A page is exactly the first rows after the last row seen, in the current data. */
function checkPage(body: PageBody, following: readonly AccountTransaction[]): void {
  assert.equal(body.hasMore, body.nextCursor !== null);
  assert.deepEqual(
    body.data.map(({ reference }) => reference),
    following.slice(0, 10).map(({ reference }) => reference),
  );
  assert.equal(body.hasMore, following.length > 10);
}
