import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/read-config.ts';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { commandOf, IMAGE_USER, imageEnv } from '../rig/service/docker-image.ts';
import { run, startServe } from '../rig/service/process.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: each kind has another shape, which a schema checks
const manifests = (): any[] =>
  parseAllDocuments(read('release/ops/kubernetes.yaml')).map((one) => one.toJS());

describe('release/ops/kubernetes.yaml', () => {
  const documents = manifests();
  const of = (kind: string) => documents.filter((one) => one.kind === kind);
  const [deployment] = of('Deployment');
  const [job] = of('Job');
  const podOf = (one: typeof deployment) => one.spec.template.spec;
  const [served] = podOf(deployment).containers;
  const [migrating] = podOf(job).containers;

  test('selects the pods of the deployment, never that of the migration, and names ports that they have', () => {
    const { labels } = deployment.spec.template.metadata;
    const ports = new Set(served.ports.map(({ name }: { name: string }) => name));
    const selectors = [
      deployment.spec.selector.matchLabels,
      ...of('Service').map(({ spec }) => spec.selector),
      ...of('NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
    ];
    for (const selector of selectors)
      for (const [name, value] of Object.entries(selector)) {
        assert.equal(labels[name], value);
        assert.notEqual(job.spec.template.metadata.labels[name], value);
      }
    for (const { spec } of of('Service'))
      for (const { targetPort } of spec.ports) assert.ok(ports.has(targetPort), targetPort);
    for (const { spec } of of('NetworkPolicy'))
      for (const rule of spec.ingress) for (const { port } of rule.ports) assert.ok(ports.has(port), port);
  });

  test('runs as the image does, with settings that the service has, and stops within the grace', () => {
    const env = Object.fromEntries(
      served.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    const config = readConfig({}, env);
    assert.deepEqual('faults' in config ? config.faults : [], []);
    const inCluster = { ...imageEnv, ...env };
    for (const { metadata } of of('Service')) {
      const prefix = metadata.name.toUpperCase().replaceAll('-', '_');
      inCluster[`${prefix}_PORT`] = 'tcp://10.96.7.1:80';
      inCluster[`${prefix}_SERVICE_HOST`] = '10.96.7.1';
    }
    const read = readConfig(inCluster);
    assert.deepEqual('warnings' in read && read.warnings, []);
    const ports = served.ports.map((one: { containerPort: number }) => String(one.containerPort));
    assert.deepEqual(ports, [env['PORT'], env['OPERATOR_PORT'], env['METRICS_PORT']]);
    for (const one of [deployment, job]) assert.equal(podOf(one).securityContext.runAsUser, IMAGE_USER);
    assert.ok(podOf(deployment).terminationGracePeriodSeconds > served.lifecycle.preStop.sleep.seconds + 10);
    assert.deepEqual(commandOf('ENTRYPOINT'), ['/usr/bin/transactions']);
  });

  test('its migration and its service run, and the probes are answered', async (t) => {
    const folder = temporaryFolder(t);
    const options = { cwd: folder.path, env: { DATABASE_URL: await makePostgresDatabase() } };
    const migrated = await run(migrating.args, options);
    assert.equal(migrated.status, 0, migrated.stderr);
    const [command, ...flags] = served.args;
    assert.equal(command, 'serve');
    const service = await startServe({
      ...options,
      args: flags,
      env: { ...options.env, OPERATOR_PORT: '0' },
    });
    t.after(() => service.stop());
    for (const probe of [served.startupProbe, served.livenessProbe, served.readinessProbe])
      assert.equal((await fetch(`${service.url}${probe.httpGet.path}`)).status, 200);
  });
});
