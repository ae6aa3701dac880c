import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parsePostgresUrl } from '../../src/db/postgres/driver/index.ts';
import { StoreConnections } from '../../src/db/postgres/store-connections.ts';

const FORMULA = 'P × (d + 4) + d + 2';

function mostOf(connections: number, records: boolean): number {
  const address = parsePostgresUrl('postgres://user@127.0.0.1:1/transactions');
  const { use } = new StoreConnections(address, 'one server', { timeoutMs: 2000, connections, records });
  return Object.values(use).reduce((sum, { size }) => sum + size, 0);
}

test('docs/postgresql.md has the largest number of connections that an instance opens', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/postgresql.md'), 'utf8');
  assert.ok(guide.includes(`at most *${FORMULA}*`), FORMULA);
  for (const d of [1, 2, 7])
    for (const processes of [1, 3, 4])
      assert.equal(mostOf(d, true) + (processes - 1) * mostOf(d, false), processes * (d + 4) + d + 2);
});
