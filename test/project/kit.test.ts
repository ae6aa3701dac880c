import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/read-config.ts';
import { commandOf, IMAGE_USER, imageEnv } from '../rig/service/docker-image.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: each kind has another shape, which a schema checks
const manifests = (): any[] =>
  parseAllDocuments(read('release/ops/kubernetes.yaml')).map((one) => one.toJS());

const documents = manifests();
const of = (kind: string) => documents.filter((one) => one.kind === kind);
const [deployment] = of('Deployment');
const [job] = of('Job');
const podOf = (one: typeof deployment) => one.spec.template.spec;
const [served] = podOf(deployment).containers;

test('release/ops/kubernetes.yaml runs as the user of the image, has only settings of the service, and allows enough time to stop', () => {
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
