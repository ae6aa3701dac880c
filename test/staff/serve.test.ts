import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { startServe } from '../rig/service/process.ts';
import { CLIENT_SECRET } from '../rig/staff/certified-provider.ts';
import { startLyingProvider } from '../rig/staff/lying-provider.ts';

const folder = temporaryFolder();
after(folder.remove);

const settings = (issuer: string) => ({
  OPERATOR_PORT: '0',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'transactions',
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_REDIRECT_URL: 'http://127.0.0.1:3001/staff/callback',
  OIDC_ROLES: 'groups:support=read',
  PUBLIC_URL: 'https://payments.example/',
});

test('serve redirects staff to the provider in the settings, and neither logs nor shows the secret', async () => {
  const provider = await startLyingProvider(CLIENT_SECRET);
  const served = await startServe({ cwd: folder.path, env: settings(provider.issuer) });
  try {
    const { status, headers } = await fetch(`${served.operatorUrl}/staff`, { redirect: 'manual' });
    assert.equal(status, 303);
    assert.ok(headers.get('location')?.startsWith(`${provider.issuer}/authorize?`));
    assert.equal((await fetch(`${served.url}/staff`, { redirect: 'manual' })).status, 404);
    const metrics = await (await fetch(`${served.operatorUrl}/metrics`)).text();
    assert.match(metrics, /^transactions_staff_sign_ins_total\{outcome="signed_in"\} 0$/m);
  } finally {
    await served.stop();
  }
  assert.ok(!served.logged().includes(CLIENT_SECRET));
  assert.match(served.logged(), /"staff":"http:\/\/127\.0\.0\.1:3001\/staff"/);
});
