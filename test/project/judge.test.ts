import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importsOf } from '../rig/run/import-graph.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the judge imports only itself and Node: it shares no code with what it judges', () => {
  const files = readdirSync(join(ROOT, 'judge')).filter((name) => name.endsWith('.ts'));
  const imported = files.flatMap((name) => {
    const path = `judge/${name}`;
    return importsOf({ path, text: readFileSync(join(ROOT, path), 'utf8') }).map(({ to }) => to);
  });
  assert.ok(imported.length > 20);
  for (const to of imported) assert.match(to, /^(node:|judge\/)/);
});

/** What says what the service must do: the models, and what judges its responses by them. */
const MODELS = [
  'test/model/*.ts',
  'test/simulation/{check-response,follower,known-key,model-store,model-totals,receiver,recorder,walker}.ts',
  'test/rig/data/{expected-totals,feed-totals,known-feed,known-transactions}.ts',
  'test/rig/webhooks/model-webhooks.ts',
  'test/changes/oracle.ts',
];

test('the models of the tests import nothing of the source but types', () => {
  const files = globSync(MODELS, { cwd: ROOT });
  assert.equal(files.length, 18);
  for (const path of files) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const values = text.match(/^(?:import|export) (?!type )[^;]*? from '(?:\.\.\/)+src\/[^']+';$/gm) ?? [];
    assert.deepEqual(values, [], path);
  }
});
