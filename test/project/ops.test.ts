import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createMetrics } from '../../src/http/metrics.ts';

const EXPRESSIONS = /\b(?:transactions|nodejs|process)_[a-z0-9_]+/g;

async function exported(): Promise<Set<string>> {
  const metrics = createMetrics();
  metrics.observe({
    listener: 'public',
    method: 'GET',
    route: '/livez',
    status: 503,
    code: 'unavailable',
    durationSeconds: 0.1,
  });
  metrics.countRecorded('conflict');
  const { body } = await metrics.text();
  return new Set([...body.matchAll(/^([a-z][a-z0-9_]+)[{ ]/gm)].map(([, name]) => name as string));
}

for (const file of ['ops/alerts.yml', 'ops/dashboard.json']) {
  test(`${file} names only metrics that the service exports`, async () => {
    const names = await exported();
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    const used = new Set(text.match(EXPRESSIONS) ?? []);
    assert.ok(used.size > 3);
    for (const name of used) assert.ok(names.has(name), `${name} is not exported`);
  });
}

test('ops/dashboard.json is JSON whose panels do not overlap', () => {
  const { panels } = JSON.parse(readFileSync(new URL('../../ops/dashboard.json', import.meta.url), 'utf8'));
  const places = panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`);
  assert.equal(new Set(places).size, panels.length);
});
