import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MIGRATIONS } from '../../src/db/postgres/migrate.ts';
import { expectedSchema } from '../../src/operate/postgres/expected-schema.ts';
import { TABLE_LIST } from '../../values/tables.ts';

const CITUS_GUIDE = new URL('../../docs/citus.md', import.meta.url);

test('docs/citus.md switches row-level security off for every distributed table that has it', () => {
  const { tables } = expectedSchema(MIGRATIONS);
  const [, named = ''] =
    /Switch row-level security off, for ([^.]*)\./.exec(readFileSync(CITUS_GUIDE, 'utf8')) ?? [];
  assert.deepEqual(
    [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
    TABLE_LIST.filter(
      ({ name, onCitus }) => onCitus === 'distributed' && tables.get(name)?.hasRowLevelSecurity,
    )
      .map(({ name }) => name)
      .sort(),
  );
});
