import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from '@prometheus-io/client';
import { createSealMetrics } from './seal-metrics.ts';

test('the number of unsealed changes is missing before the first count, so that nobody takes it for 0', async () => {
  const registry = new Registry();
  const metrics = createSealMetrics([registry]);
  const unsealed = async () => /^transactions_unsealed_changes (.*)$/m.exec(await registry.metrics())?.[1];
  assert.equal(await unsealed(), undefined);
  metrics.setUnsealed(0);
  assert.equal(await unsealed(), '0');
});
