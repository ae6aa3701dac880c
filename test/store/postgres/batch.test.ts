import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type Connected, connect, type SessionLimits } from '../../../src/db/postgres/driver/connect.ts';
import { Connections, readStatement, sqlState } from '../../../src/db/postgres/driver/index.ts';
import { routeBatchMessages } from '../../../src/db/postgres/driver/message-router.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { makePostgresDatabase, sessionLimits } from '../../rig/database/postgres.ts';
import { GIVE_UP_MS } from '../../rig/run/give-up.ts';

/** Query number 0 fails, because the statement divides by the number. */
const ROWS = readStatement(
  `SELECT $1::bigint, 1000 / $1::bigint, 'query ' || $1, chr(65 + n % 7) || $1, CASE WHEN n % 2 = 0 THEN 'ünï ' || n END, NULL::bigint, -n::bigint
   FROM generate_series(1, $2::int) AS n`,
  (row) => [
    row.integer(),
    row.integer(),
    row.text(),
    row.word(),
    row.textOrNull(),
    row.integerOrNull(),
    row.integer(),
  ],
);
const SLEEP = readStatement('SELECT pg_sleep($1::float8)::text', (row) => row.text());
const NOW = readStatement('SELECT $1::text', (row) => row.text());
const OTHER = readStatement('SELECT $1::bigint, $2::text', (row) => [row.integer(), row.text()]);

const rowsOf = (number: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const n = index + 1;
    const quotient = Math.floor(1000 / number);
    return [
      number,
      quotient,
      `query ${number}`,
      `${String.fromCharCode(65 + (n % 7))}${number}`,
      n % 2 === 0 ? `ünï ${n}` : null,
      null,
      -n,
    ];
  });

let url: string;
let connections: Connections;
let made: Connected[];

const connectHere = async (limits: Partial<SessionLimits> = {}): Promise<Connected> => {
  const connected = await connect(url, '', {
    ...sessionLimits(GIVE_UP_MS),
    ...limits,
    pipeline: true,
  });
  made.push(connected);
  return connected;
};

const open = (options: Partial<ConstructorParameters<typeof Connections>[0]> = {}) => {
  made = [];
  connections = new Connections({ size: 1, timeoutMs: GIVE_UP_MS, connect: () => connectHere(), ...options });
};

async function readAll(queries: readonly (readonly [number: number, count: number])[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(queries.map((values) => connections.read(ROWS, values)));
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : sqlState(outcome.reason) || outcome.reason.name,
  );
}

const DIVISION_BY_ZERO = '22012';

before(async () => {
  url = await makePostgresDatabase();
});

describe('queries of one turn of the event loop', () => {
  before(() => open({ size: 2 }));
  after(() => connections.close());

  test('each query gets its own rows, even if others are refused or sent alone', async () => {
    for (let round = 0; round < 5; round++) {
      const queries = Array.from(
        { length: 100 },
        (_, index) => [index % 7, index % 7 === 0 ? 1 : (index * 13) % 30] as const,
      );
      const others = Array.from({ length: 20 }, (_, index) =>
        connections.transact([{ statement: OTHER, values: [index, `other ${index}`] }]),
      );
      const found = await readAll(queries);
      assert.deepEqual(
        found,
        queries.map(([number, count]) => (number === 0 ? DIVISION_BY_ZERO : rowsOf(number, count))),
      );
      assert.deepEqual(
        await Promise.all(others),
        Array.from({ length: 20 }, (_, index) => [[[index, `other ${index}`]]]),
      );
    }
  });
});

test('a query that exceeds the statement timeout fails alone, and those behind it are answered', async () => {
  open({ connect: () => connectHere({ statementTimeoutMs: 300 }) });
  const [slow, ...behind] = await Promise.allSettled([
    connections.read(SLEEP, [10]),
    ...Array.from({ length: 7 }, (_, index) => connections.read(NOW, [`${index}`])),
  ]);
  assert.ok(slow.status === 'rejected' && slow.reason instanceof StoreUnavailable);
  assert.match(slow.reason.message, /statement timeout/);
  assert.deepEqual(
    behind.map((outcome) => outcome.status === 'fulfilled' && outcome.value),
    Array.from({ length: 7 }, (_, index) => [`${index}`]),
  );
  await connections.close();
});

test('after a deadline, no late answer reaches another query', async () => {
  open({ timeoutMs: 1000, connect: () => connectHere({ statementTimeoutMs: 10_000 }) });
  assert.deepEqual(await connections.read(NOW, ['before']), ['before']);
  const reads = [connections.read(SLEEP, [1.2]), connections.read(NOW, ['with it'])];
  await new Promise(setImmediate);
  reads.push(connections.read(NOW, ['behind it']));
  for (const outcome of await Promise.allSettled(reads)) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
  }
  const later = [connections.read(NOW, ['later']), connections.read(SLEEP, [0.5])];
  assert.deepEqual(await Promise.all(later), [['later'], ['']]);
  assert.equal(made.length, 2);
  await connections.close();
});

test('statements that the server lost are prepared again; after a second loss they are no longer prepared', async () => {
  open();
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await readAll([[3, 2]]), [rowsOf(3, 2)]);
    await made[0]?.client.query('DEALLOCATE ALL');
    assert.deepEqual(
      await readAll([
        [4, 1],
        [0, 1],
        [5, 2],
      ]),
      [rowsOf(4, 1), DIVISION_BY_ZERO, rowsOf(5, 2)],
    );
    const prepared = await made[0]?.client.query('SELECT name FROM pg_prepared_statements');
    assert.equal(prepared?.rows.length, round === 0 ? 1 : 0);
  }
  assert.equal(made.length, 1);
  await connections.close();
});

test('rows are the same however the network cuts them into pieces', async () => {
  for (const size of [1, 2, 7, 64]) {
    class Cutting extends Socket {
      override push(bytes: Buffer | null): boolean {
        if (bytes === null) return super.push(null);
        for (let at = 0; at < bytes.length; at += size)
          super.push(Buffer.from(bytes.subarray(at, at + size)));
        return true;
      }
    }
    open({
      connect: async () => {
        const client = new pg.Client({
          connectionString: url,
          pipeline: true,
          stream: () => new Cutting(),
        } as pg.ClientConfig);
        routeBatchMessages(client);
        await client.connect();
        return { client, inRecovery: false, pooled: false, missingSettings: null };
      },
    });
    assert.deepEqual(
      await readAll([
        [1, 11],
        [2, 0],
        [0, 1],
        [3, 11],
      ]),
      [rowsOf(1, 11), [], DIVISION_BY_ZERO, rowsOf(3, 11)],
    );
    await connections.close();
  }
});

for (const [what, wrong, message] of [
  ['an integer of four bytes', readStatement('SELECT 1', (row) => row.integer()), /a bigint of 4 bytes/],
  ['a query that the server skips', readStatement('', (row) => row.text()), /skipped a query/],
] as const) {
  test(`${what} ends the connection: the query and those behind it fail with the cause`, async () => {
    open();
    const [before, ...failed] = await Promise.allSettled([
      connections.read(NOW, ['before']),
      connections.read<unknown>(wrong, []),
      connections.read(NOW, ['behind']),
    ]);
    assert.ok(before.status === 'fulfilled' && before.value[0] === 'before');
    for (const outcome of failed) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable);
      assert.match(outcome.reason.message, message);
    }
    assert.deepEqual(await connections.read(NOW, ['later']), ['later']);
    assert.equal(made.length, 2);
    await connections.close();
  });
}

test('queries sent just before the store closes are answered; none is sent after it', async () => {
  open();
  assert.deepEqual(await readAll([[1, 1]]), [rowsOf(1, 1)]);
  const last = readAll([[2, 2]]);
  const closed = connections.close();
  assert.deepEqual(await last, [rowsOf(2, 2)]);
  await closed;
  await assert.rejects(connections.read(NOW, ['after']), { name: 'StoreUnavailable' });
  assert.equal(made.length, 1);
});
