import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createMetrics } from '../../src/service/metrics.ts';
import { ALERT_CASES } from '../rig/ops/alert-cases.ts';
import { ALERTS_FILE, readAlerts } from '../rig/ops/alerts.ts';
import { missing } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const skip = missing('promtool', 'prometheus');

function promtool(args: readonly string[], cwd?: string): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

test('each alert has a case in which it fires and one in which it does not', () => {
  assert.deepEqual(
    readAlerts()
      .map(({ alert }) => alert)
      .sort(),
    Object.keys(ALERT_CASES).sort(),
  );
});

const [, configuration = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];

test('Prometheus accepts the configuration of docs/operating.md with release/ops/alerts.yml', {
  skip,
}, (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder.path, 'prometheus.yml'), configuration);
  copyFileSync(ALERTS_FILE, join(folder.path, 'alerts.yml'));
  promtool(['check', 'config', 'prometheus.yml'], folder.path);
});

test('the configuration of docs/operating.md names the jobs of the alerts, and the address of the metrics of the Debian package', () => {
  const scraped: { job_name: string; static_configs: object[] }[] = parse(configuration).scrape_configs;
  const alerts = readAlerts();
  const jobs = alerts.flatMap(({ expr }) => [...expr.matchAll(/\bjob="([^"]+)"/g)].map(([, name]) => name));
  assert.deepEqual([...new Set(jobs)].sort(), scraped.map(({ job_name }) => job_name).sort());
  const [job] = scraped;
  assert.ok(job !== undefined);
  for (const { alert, expr } of alerts)
    assert.doesNotMatch(expr, /\b(?:up|(?:nodejs|process)_\w+|node_\w+)\b(?!\{job=)(?! < )/, alert);
  const [, port] =
    /^METRICS_PORT=(\d+)$/m.exec(readFileSync('release/packaging/debian/transactions.env', 'utf8')) ?? [];
  assert.deepEqual(job.static_configs, [{ targets: [`127.0.0.1:${port}`] }]);
});

test('each alert fires in its firing case, but not in its quiet case or when Prometheus starts', {
  skip,
}, (t) => {
  const folder = temporaryFolder(t);
  const tests = readAlerts().flatMap(({ alert: alertname, labels: own, annotations }) => {
    const { fires, quiet, afterMinutes = 15, labels = { instance: 'a' } } = ALERT_CASES[alertname] ?? {};
    const expected = { exp_labels: { ...own, ...labels }, exp_annotations: annotations };
    const of = (series: Readonly<Record<string, string>> | undefined, exp_alerts: object[]) => ({
      name: `${alertname} ${exp_alerts.length === 0 ? 'does not fire' : 'fires'}`,
      interval: '1m',
      input_series: Object.entries(series ?? {}).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: `${afterMinutes}m`, alertname, exp_alerts }],
    });
    const starts = { ...of({}, []), alert_rule_test: [{ eval_time: '0m', alertname, exp_alerts: [] }] };
    return [of(fires, [expected]), of(quiet, []), starts];
  });
  const cases = JSON.stringify({
    rule_files: [fileURLToPath(ALERTS_FILE)],
    evaluation_interval: '1m',
    tests,
  });
  writeFileSync(join(folder.path, 'cases.yml'), cases);
  promtool(['test', 'rules', 'cases.yml'], folder.path);
});

test('every counter whose first increase fires an alert is exported as 0 before', async () => {
  const { body } = await createMetrics().text();
  const counters = readAlerts().flatMap(({ expr }) => [
    ...expr.matchAll(/increase\((\w+)(?:\{(\w+)=~?"([^"]+)"\})?\[/g),
  ]);
  assert.ok(counters.length > 8);
  for (const [, name, label, values = ''] of counters)
    for (const value of values.split('|')) {
      const of = label === undefined ? '' : `[^}]*${label}="${value}"`;
      assert.match(body, new RegExp(`^${name}(\\{${of}.*)? 0$`, 'm'), `${name} ${value}`);
    }
});
