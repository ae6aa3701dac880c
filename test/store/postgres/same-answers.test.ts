import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { connect } from '../../../src/db/postgres/driver/connect.ts';
import { Connections, LIST_SETTINGS, type Replicas } from '../../../src/db/postgres/driver/index.ts';
import { parseLogPosition } from '../../../src/db/postgres/driver/replicas.ts';
import { TOPOLOGIES } from '../../../src/db/postgres/topology.ts';
import type { ListQuery } from '../../../src/ledger/list/list.ts';
import { shapeName } from '../../../src/ledger/list/list.ts';
import { transactionLister } from '../../../src/ledger/list/postgres/list-transactions.ts';
import { scanOf } from '../../../src/ledger/list/postgres/read-list.ts';
import { type AccountTransaction, TRANSACTION_COLUMNS } from '../../../src/ledger/transaction.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { expectedList, filterSubsets } from '../../rig/data/expected-list.ts';
import { DAY } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { queryPostgres } from '../../rig/database/postgres.ts';
import { fc } from '../../rig/run/properties.ts';

const LIMIT = 11;
const TIMEOUT_MS = 30_000;
/** Eight sets of equalities with three upper ends (open, day, position); without any, also a lower end. */
const SHAPES = 8 * 3 + 3;

const DAYS = ['0001-01-01', '1969-12-31', '1970-01-01', '2026-03-01', '2026-03-02', '9999-12-31'];
const MAX_AMOUNT_MINOR = 999_999_999_999_999;

const account = fc.constantFrom('a', 'acct-2');
const day = fc.constantFrom(...DAYS);
const status = fc.constantFrom('pending', 'completed', 'failed', 's'.repeat(32));
const currency = fc.constantFrom('EUR', 'USD', 'XTS');
const merchantReference = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'order',
    'ünï',
    '€',
    '😀',
    '"{}\\,NULL',
    'NULL',
    'm'.repeat(255),
    '語'.repeat(255),
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !text.includes('\0')),
);
const time = fc
  .tuple(day, fc.constantFrom(0, 1, 86_399_999), fc.nat(2))
  .map(([name, ms, more]) => DAY(name) + Math.min(ms + more, 86_399_999));
const amount = fc.oneof(
  fc.constantFrom(0, 1, -1, MAX_AMOUNT_MINOR, -MAX_AMOUNT_MINOR, 2 ** 31, -(2 ** 32), 2 ** 32 - 1),
  fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }),
);
const row: fc.Arbitrary<AccountTransaction> = fc
  .record({
    account,
    reference: fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
    merchantReference: fc.option(merchantReference),
    status,
    amountMinor: amount,
    currencyCode: currency,
    paidAtMs: fc.option(time),
    createdAtMs: time,
    relatedTo: fc.option(fc.constantFrom('r1', 'pay_1')),
    details: fc.option(
      fc.dictionary(fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,7}$/), merchantReference, { maxKeys: 3 }),
    ),
    detailsRemovedAtMs: fc.option(time),
  })
  .map((fields) => ({
    ...fields,
    details: fields.detailsRemovedAtMs === null ? fields.details && JSON.stringify(fields.details) : null,
    finalDetails: null,
    paidAtMs:
      fields.status === 'pending' ? null : (fields.paidAtMs ?? (fields.status === 'completed' ? 0 : null)),
  }));

let url: string;
let connections: Connections;
let plain: pg.Client;

before(async () => {
  url = await makeMigratedDatabase();
  await (await openStore(url, () => 0)).store.close();
  // An empty merchantReference and long details are refused by the table, and not by the driver.
  for (const column of ['merchant_reference', 'details'])
    await queryPostgres(url, `ALTER TABLE transactions DROP CONSTRAINT transactions_${column}_check`);
  const limits = {
    statementTimeoutMs: TIMEOUT_MS,
    connectTimeoutMs: TIMEOUT_MS,
    lockTimeoutMs: TIMEOUT_MS,
    idleInTransactionTimeoutMs: TIMEOUT_MS,
  };
  connections = new Connections({
    size: 2,
    timeoutMs: TIMEOUT_MS,
    connect: () => connect(url, '', { ...limits, pipeline: true, planSettings: LIST_SETTINGS }),
  });
  plain = new pg.Client({ connectionString: url });
  // The database is dropped after the tests.
  plain.on('error', () => {});
  await plain.connect();
});
after(() => Promise.all([connections.close(), plain.end()]));

async function replaceRows(rows: readonly AccountTransaction[]): Promise<void> {
  await plain.query('TRUNCATE transactions');
  const columns: (keyof AccountTransaction)[] = [
    'account',
    'reference',
    'merchantReference',
    'status',
    'amountMinor',
    'currencyCode',
    'paidAtMs',
    'createdAtMs',
    'relatedTo',
    'details',
    'finalDetails',
    'detailsRemovedAtMs',
  ];
  await plain.query(
    `INSERT INTO transactions (account, ${TRANSACTION_COLUMNS}, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
     SELECT *, CASE WHEN status = 'pending' THEN row_number() OVER () END, CASE WHEN status = 'pending' THEN 0 END, CASE WHEN status = 'pending' THEN 1 END,
       CASE WHEN status <> 'pending' THEN row_number() OVER () END, CASE WHEN status <> 'pending' THEN 0 END, CASE WHEN status <> 'pending' THEN 1 END
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::bigint[])
       AS given (account, ${TRANSACTION_COLUMNS})`,
    columns.map((column) => rows.map((one) => one[column])),
  );
}

/** Lists of every shape, whose filters match at least the row, from the first page and from within. */
function queriesFor(rows: readonly AccountTransaction[], one: AccountTransaction): ListQuery[] {
  const createdOn = new Date(one.createdAtMs).toISOString().slice(0, 10);
  return filterSubsets({
    status: one.status,
    currency: one.currencyCode,
    from: createdOn,
    to: createdOn,
    merchantReference: one.merchantReference ?? 'order',
  }).flatMap((filter) => {
    const query = { account: one.account, filter };
    const list = expectedList(rows, one.account, filter);
    const position = list[Math.floor(list.length / 2)] ?? one;
    const { createdAtMs, reference } = position;
    return [
      { ...query, after: null },
      { ...query, after: { createdAtMs, reference } },
    ];
  });
}

const noReplicas = {
  read: (_logPosition: string | undefined, readFrom: (primary: Connections) => unknown) =>
    readFrom(connections),
} as unknown as Replicas;

test('lists of every shape have the rows that were stored, in batches, pipelines and with settings', async () => {
  const shapes = new Set<string>();
  const rows = fc.uniqueArray(row, {
    minLength: 20,
    maxLength: 60,
    selector: (one) => `${one.account} ${one.reference}`,
  });
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.nat(),
      fc.constantFrom(...TOPOLOGIES),
      fc.boolean(),
      async (data, nth, topology, withReplicas) => {
        await replaceRows(data);
        const one = data[nth % data.length] as AccountTransaction;
        const queries = queriesFor(data, one);
        const lister = transactionLister({
          primary: connections,
          replicas: withReplicas ? noReplicas : null,
          topology,
        });
        const results = await Promise.all(queries.map((query) => lister.listTransactions(query, LIMIT)));
        for (const [index, { transactions, logPosition }] of results.entries()) {
          const query = queries[index] as ListQuery;
          shapes.add(shapeName(scanOf(query).shape));
          const expected = expectedList(data, query.account, query.filter, query.after).slice(0, LIMIT);
          assert.deepEqual(
            transactions,
            expected.map(({ account: _, ...transaction }) => transaction),
          );
          if (!withReplicas) assert.equal(logPosition, undefined);
          else if (transactions.length > 0) assert.ok(parseLogPosition(logPosition ?? '') !== undefined);
        }
      },
    ),
    { numRuns: 25 },
  );
  assert.equal(shapes.size, SHAPES);
});
