import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeApiKey } from '../../src/keys/api-key.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { kindOf } from '../rig/http/problems.ts';
import { readAlerts } from '../rig/ops/alerts.ts';

const METRIC = /\b(?:transactions|nodejs|process)_[a-z0-9_]+/g;
const SELECTED = /\b((?:transactions|nodejs|process)_[a-z0-9_]+)\{([^}]*)\}/g;
const LABEL = /(\w+)(?:=|=~)"([^"]*)"/g;

const OPERATOR_KEY = makeApiKey(
  { account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null },
  0,
  randomBytes,
).stored;

async function metricsText(): Promise<string> {
  const metrics = createMetrics();
  metrics.observe({
    listener: 'public',
    method: 'GET',
    route: '/livez',
    status: 503,
    problem: { code: 'unavailable', options: {} },
    durationSeconds: 0.1,
  });
  metrics.recorded.inc({ outcome: 'conflict' });
  metrics.setUnsealed(0);
  metrics.watchConnections({
    connectionUse: () => ({
      requests: { size: 2, open: 2, inFlight: 0 },
      replicas: { size: 1, open: 1, inFlight: 0, replicas: { 'postgres://db2/payments': true } },
    }),
  });
  metrics.setReplication({
    standbys: [{ name: 'db2', state: 'streaming', behindBytes: 0, repliedMsAgo: 0 }],
    idleSlots: [{ name: 'db3', keptBytes: 0 }],
    archive: { archivedMsAgo: 0, failedMsAgo: null },
  });
  const lag = { lagChanges: 0, lagMs: 0, pausedChanges: 0 };
  metrics.watchDeliveries(() => ({
    endpoints: 0,
    paused: 0,
    failures: 0,
    inFlight: 0,
    hasOtherRules: false,
    ...lag,
  }));
  const key = { ...OPERATOR_KEY, expiresAtMs: Date.now() + 1000, lastUsedAtMs: 1 };
  metrics.watchOperatorKeys({ listApiKeys: async () => [key] }, Date.now);
  // The first `text()` looks up keys. Only the second `text()` contains the metrics of these look-ups.
  await metrics.text();
  return (await metrics.text()).body;
}

async function exported(): Promise<Map<string, Set<string>>> {
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', list = ''] of (await metricsText()).matchAll(
    /^([a-z][a-z0-9_]+)(?:\{([^}]*)\})? /gm,
  )) {
    const known = labels.get(name) ?? new Set();
    for (const [, label = ''] of list.matchAll(LABEL)) known.add(label);
    labels.set(name, known);
  }
  return labels;
}

function textOf(file: string): string {
  if (file === 'release/ops/alerts.yml')
    return readAlerts()
      .map(({ expr }) => expr)
      .join('\n');
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
}

for (const file of ['release/ops/alerts.yml', 'release/ops/dashboard.json']) {
  test(`${file} names only metrics, labels and codes that the service exports`, async () => {
    const metrics = await exported();
    const text = textOf(file);
    const used = new Set(text.match(METRIC) ?? []);
    assert.ok(used.size > 6);
    for (const name of used) assert.ok(metrics.has(name), `${name} is not exported`);
    for (const [, name = '', selector = ''] of text.matchAll(SELECTED)) {
      for (const [, label = '', value = ''] of selector.matchAll(LABEL)) {
        if (label === 'instance' || label === 'job') continue;
        assert.ok(metrics.get(name)?.has(label), `${name} has no label ${label}`);
        if (label === 'code')
          for (const code of value.split('|'))
            assert.ok(kindOf(code) !== undefined, `${code} is not an error code`);
      }
    }
    for (const [, name = '', list = ''] of text.matchAll(/\bby \(([^)]*)\) \(\w+\((\w+)/g)) {
      const labels = metrics.get(list);
      for (const label of name.split(/,\s*/).filter((one) => one !== 'instance')) {
        assert.ok(labels?.has(label), `${list} has no label ${label}`);
      }
    }
  });
}

test('docs/operating.md has the name of each metric of the service, and no other', async () => {
  const guide = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const [, monitoring = ''] = guide.split('## Monitoring\n');
  const named = new Set([...monitoring.matchAll(/`(transactions_[a-z_]+)`/g)].map(([, name]) => name));
  const known = new Set(
    [...(await metricsText()).matchAll(/^# HELP (transactions_\w+)/gm)].map(([, name]) => name),
  );
  assert.deepEqual([...named].sort(), [...known].sort());
});
