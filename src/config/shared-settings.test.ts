import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './read-config.ts';
import { sharedSettings } from './shared-settings.ts';

async function sharedOf(environment: Record<string, string>) {
  const read = readConfig(environment);
  assert.ok('config' in read);
  return sharedSettings(read.config);
}

const SECRET = 'correct horse battery staple and more';

test('settings with the same meaning become the same text', async () => {
  const one = await sharedOf({ STATUSES: 'failed:unpaid,captured:paid', WEBHOOK_NETWORKS: '10.0.0.0/8,::1' });
  const other = await sharedOf({
    STATUSES: ' captured:paid, failed:unpaid',
    WEBHOOK_NETWORKS: '::1, 10.0.0.0/8',
  });
  assert.deepEqual(one, other);
  assert.deepEqual(await sharedOf({}), await sharedOf({ ACCOUNTS: 'any', CURSOR_LIFETIME: '86400' }));
});

test('each setting that must be the same on all instances is a shared setting', async () => {
  const values = {
    STATUSES: 'failed:unpaid',
    ACCOUNTS: 'declared',
    CURSOR_LIFETIME: '60',
    CURSOR_SECRETS: SECRET,
    CREATED_AT_AHEAD: '90000',
    WEBHOOK_NETWORKS: '10.0.0.0/8',
    WEBHOOK_HTTP: 'true',
  };
  const defaults = await sharedOf({});
  assert.deepEqual(Object.keys(defaults).sort(), Object.keys(values).sort());
  for (const [name, value] of Object.entries(values)) {
    const changed = await sharedOf({ [name]: value });
    const differing = Object.keys(defaults).filter(
      (one) => JSON.stringify(changed[one]) !== JSON.stringify(defaults[one]),
    );
    assert.deepEqual(differing, [name]);
  }
});

test('a secret becomes a digest that is the same on each instance, and reveals nothing of the secret', async () => {
  const shared = await sharedOf({
    CURSOR_SECRETS: `${SECRET},${SECRET.toUpperCase()}`,
  });
  const digests = shared['CURSOR_SECRETS'] as string[];
  assert.equal(new Set(digests).size, 2);
  assert.ok(digests.every((digest) => /^[\w-]{16}$/.test(digest)));
  assert.ok(!JSON.stringify(shared).includes('horse'));
  assert.deepEqual((await sharedOf({ CURSOR_SECRETS: SECRET }))['CURSOR_SECRETS'], [digests[0]]);
  assert.deepEqual((await sharedOf({}))['CURSOR_SECRETS'], []);
});
