import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { NO_EXPORT_FILTER } from '../../src/ledger/exports/export-filter.ts';
import { csvHeader } from '../../src/ledger/exports/export-lines.ts';
import { parseTransaction } from '../../src/ledger/record/parse-transaction.ts';
import {
  type AccountTransaction,
  COLUMNS as COLUMN_OF,
  TRANSACTION_COLUMNS,
} from '../../src/ledger/transaction.ts';
import {
  FIELD_LIST,
  type FIELDS,
  formatTransaction,
  OPTIONAL_FIELDS,
  SHOWN_FIELDS,
  TRANSACTION_FIELDS,
} from '../../src/ledger/transaction-fields.ts';
import { STORED_FIELDS } from '../../src/operate/stored-rows.ts';
import { BUILT_IN_STATUSES } from '../../values/status.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { run } from '../rig/service/process.ts';

/** Does not compile if a property of a transaction has no field. */
const PROPERTIES: Record<keyof AccountTransaction, unknown> = {} as Record<
  (typeof FIELDS)[keyof typeof FIELDS]['property'],
  unknown
>;

const schemas = (document: string) =>
  JSON.parse(readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')).components.schemas;

test('every field is in OpenAPI and in the columns of a CSV file', () => {
  assert.deepEqual(PROPERTIES, {});
  for (const document of ['openapi.json', 'openapi-operator.json'])
    assert.deepEqual(
      Object.keys(schemas(document).Transaction.properties),
      [...SHOWN_FIELDS, ...OPTIONAL_FIELDS],
      document,
    );
  const requested = Object.keys(schemas('openapi-operator.json').TransactionRequest.properties);
  // Files alone have it.
  const recorded = OPTIONAL_FIELDS.filter((name) => name !== 'detailsRemovedAt');
  assert.deepEqual(['reference', ...requested], [...SHOWN_FIELDS, ...recorded]);
  assert.equal(csvHeader(NO_EXPORT_FILTER), `${SHOWN_FIELDS.join(',')}\r\n`);
});

test('every field has a column of its type and presence, which verify and copy read', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const columns = db.prepare('SELECT name, type, "notnull" FROM pragma_table_info(\'transactions\')').all();
  db.close();
  // In one order, as the rows of statements are read.
  assert.deepEqual(
    Object.keys(COLUMN_OF),
    FIELD_LIST.map(({ property }) => property),
  );
  assert.equal(`account, ${TRANSACTION_COLUMNS}`, Object.values(COLUMN_OF).join(', '));
  for (const { property, absent, column: type } of FIELD_LIST) {
    const column = columns.find(({ name }) => name === COLUMN_OF[property]);
    assert.equal(column?.['type'], type === 'integer' ? 'INTEGER' : 'TEXT', property);
    assert.equal(column?.['notnull'], absent === 'null' ? 0 : 1, property);
    assert.equal(
      STORED_FIELDS.some((field) => field === property),
      property !== 'account',
    );
  }
});

test('the example of each field is what a response shows', () => {
  const written = FIELD_LIST.filter(({ name }) => name !== 'detailsRemovedAt' && name !== 'finalDetails');
  const parsed = parseTransaction(Object.fromEntries(written.map(({ name, example }) => [name, example])), {
    statuses: BUILT_IN_STATUSES,
    assignReference: () => '',
  });
  assert.ok('transaction' in parsed);
  const { transaction } = parsed;
  const shown = new Map<string, unknown>(Object.entries(formatTransaction(transaction)));
  for (const { name, example } of FIELD_LIST)
    if (name !== 'account' && name !== 'detailsRemovedAt') assert.deepEqual(shown.get(name), example, name);
});

const ROOT = '/v1/accounts/store-1/transactions';
const NDJSON = { 'content-type': 'application/x-ndjson' };

/**
 * Functions that send a transaction through each interface and return true if it is accepted. Where the path
 * has a reference, the transaction gets it.
 */
async function waysIn(t: TestContext) {
  const { store, clock } = await buildTestApp();
  const operator = await buildTestOperatorApp(store, clock);
  const { path: cwd } = temporaryFolder(t);
  const cell = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const quoted = (value: unknown) => `"${cell(value).replaceAll('"', '""')}"`;
  const whole = (record: object) => ({ ...COLUMNS, account: 'store-1', reference: 'a', ...record });
  const imported = async (format: string, stdin: string) =>
    (await run(['import', '-', '--format', format, '--dry-run'], { cwd, stdin })).status === 0;
  return {
    PUT: async (body: Record<string, unknown>) =>
      (await operator.send(`${ROOT}/${body['reference'] ?? 'a'}`, { method: 'PUT', body })).status !== 422,
    // A used key: the faults of the fields come first.
    POST: async (body: object) =>
      (await operator.send(ROOT, { method: 'POST', body, headers: { 'idempotency-key': 'used' } })).status !==
      422,
    batch: async (record: object) => {
      const line = JSON.stringify({ account: 'store-1', reference: 'a', ...record });
      const { text } = await operator.send('/v1/batch', { method: 'POST', text: line, headers: NDJSON });
      return JSON.parse(text).outcome !== 'invalid';
    },
    NDJSON: (record: object) => imported('ndjson', JSON.stringify(whole(record))),
    CSV: (record: object) => {
      const columns = Object.entries(whole(record));
      const lines = [columns.map(([name]) => name), columns.map(([, value]) => quoted(value ?? ''))];
      return imported('csv', lines.map((line) => line.join(',')).join('\n'));
    },
  };
}

/** The required fields of a transaction, in the order of the columns. */
const COLUMNS = Object.fromEntries(
  FIELD_LIST.filter(({ name }) => TRANSACTION_FIELDS.some((one) => one === name)).map(({ name, example }) => [
    name,
    example,
  ]),
);

test('each way in accepts the fields of its schema or file, can repeat those of its path, and accepts no other', async (t) => {
  const { account: _, reference: _reference, ...needed } = COLUMNS;
  const { Transaction, TransactionRequest, BatchLine } = schemas('openapi-operator.json');
  const namesOf = ({ properties }: { properties: object }) => Object.keys(properties);
  const inFiles = ['account', ...namesOf(Transaction)];
  const expected = {
    PUT: ['account', 'reference', ...namesOf(TransactionRequest)],
    POST: ['account', ...namesOf(TransactionRequest)],
    batch: namesOf(BatchLine),
    NDJSON: inFiles,
    CSV: inFiles,
  };
  for (const [way, isAccepted] of Object.entries(await waysIn(t))) {
    const accepted: string[] = [];
    for (const { name, example = { a: 'b' } } of FIELD_LIST)
      if (await isAccepted({ ...needed, [name]: example })) accepted.push(name);
    assert.deepEqual(accepted.sort(), expected[way as keyof typeof expected].toSorted(), way);
    const itself = { ...needed, reference: 'a', relatedTo: 'a' };
    assert.equal(await isAccepted(itself), false, `${way}: a transaction that is related to itself`);
  }
});
