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

/** The formula of the document as a function: "W × (d + 4) + d + 2". */
function evaluate(formula: string, values: Record<string, number>): number {
  const [, w, perProcess, rest] = /^(W) × \(d \+ (\d+)\) \+ d \+ (\d+)$/.exec(formula) ?? [];
  const value = (name = '') => values[name] ?? Number(name);
  return value(w) * (value('d') + value(perProcess)) + value('d') + value(rest);
}

test('docs/postgresql.md has the most connections that an instance opens', () => {
  const [, formula = ''] = /at most \*([^*]+)\*/.exec(read('postgresql.md')) ?? [];
  for (const connections of [1, 2, 7]) {
    for (const processes of [1, 2, 4]) {
      const most = sum(sizes(connections, true)) + (processes - 1) * sum(sizes(connections, false));
      assert.equal(evaluate(formula, { W: processes, d: connections }), most, formula);
    }
  }
});

test('docs/citus.md has the connections of an instance with four workers and two connections', () => {
  const [, kept, others, added] =
    /With four workers[^.]* (\d+) [^.]*\. [^.]* opens (\d+)\.[^.]*?: (\d+) more/s.exec(
      read('citus.md').replaceAll(/\s+/g, ' '),
    ) ?? [];
  const { requests = 0, recordings = 0, ...further } = sizes(2, true);
  const { 'held-recordings': held = 0, ...ofEach } = further;
  // Each worker, and what is of no account.
  assert.equal(Number(kept), 4 * (requests + recordings) + requests);
  assert.equal(Number(others), 5 * requests);
  assert.equal(Number(added), 5 * sum(ofEach) + 4 * held);
});
