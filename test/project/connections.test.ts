import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parsePostgresUrl } from '../../src/db/postgres/driver/index.ts';
import { StoreConnections } from '../../src/db/postgres/store-connections.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

/** How many connections of each purpose a store opens at most. It opens none before its first query. */
function sizes(connections: number, records: boolean): Record<string, number> {
  const address = parsePostgresUrl('postgres://user@127.0.0.1:1/transactions');
  const { use } = new StoreConnections(address, 'one server', { timeoutMs: 2000, connections, records });
  return Object.fromEntries(Object.entries(use).map(([purpose, { size }]) => [purpose, size]));
}

const sum = (numbers: Record<string, number>) =>
  Object.values(numbers).reduce((one, other) => one + other, 0);

/** The formula of the document as a function: "P × (d + 4) + d + 2". */
function evaluate(formula: string, values: Record<string, number>): number {
  const [, p, perProcess, rest] = /^(P) × \(d \+ (\d+)\) \+ d \+ (\d+)$/.exec(formula) ?? [];
  const value = (name = '') => values[name] ?? Number(name);
  return value(p) * (value('d') + value(perProcess)) + value('d') + value(rest);
}

test('docs/postgresql.md has the most connections that an instance opens', () => {
  const [, formula = ''] = /at most \*([^*]+)\*/.exec(read('postgresql.md')) ?? [];
  for (const connections of [1, 2, 7]) {
    for (const workers of [1, 2, 3]) {
      // The first of several processes forks the workers, and answers the operator's interface itself.
      const processes = workers === 1 ? 1 : workers + 1;
      const most = sum(sizes(connections, true)) + (processes - 1) * sum(sizes(connections, false));
      assert.equal(evaluate(formula, { P: processes, d: connections }), most, formula);
    }
  }
});

/** A cell of the table as a function: "d × (N + 1)". */
function evaluateCell(cell: string, values: Record<string, number>): number {
  const [, factor = '', workers, sum] = /^(\w+)(?: × (?:(N)|\(N \+ (1)\)))?$/.exec(cell) ?? [];
  const count = sum === '1' ? (values['N'] ?? 0) + 1 : workers === 'N' ? (values['N'] ?? 0) : 1;
  return (values[factor] ?? Number(factor)) * count;
}

test('docs/postgresql.md has the connections of each purpose, and docs/citus.md those of four workers', () => {
  const [, section = ''] = read('postgresql.md').split('| connections for | opened by |');
  const [table = ''] = section.split('\n\n');
  const rows = table.split('\n').filter((line) => /^\| \w/.test(line));
  const cells = rows.map((line) => line.slice(2, -2).split(' | '));
  const { requests = 0, recordings = 0, 'held-recordings': held = 0, ...others } = sizes(2, true);
  const onServer = [requests, recordings, ...Object.values(others), held];
  assert.equal(cells.length, onServer.length);
  const values = { d: 2, N: 4 };
  const counted = (column: number) => cells.map((row) => evaluateCell(row[column] ?? '', values));
  assert.deepEqual(counted(2), onServer);
  const onCitus = [requests * 5, recordings * 4, ...Object.values(others).map((size) => size * 5), held * 4];
  assert.deepEqual(counted(3), onCitus);

  const [lists = 0, recorded = 0, ...added] = onCitus;
  const text = read('citus.md').replaceAll(/\s+/g, ' ');
  const [, kept, opened] =
    /keeps (\d+) with four workers and the defaults, and opens (\d+) more/.exec(text) ?? [];
  assert.equal(Number(kept), lists + recorded);
  assert.equal(
    Number(opened),
    added.reduce((one, other) => one + other, 0),
  );
});
