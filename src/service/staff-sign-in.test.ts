import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';
import { staffSignIn } from './staff-sign-in.ts';

const ALL = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'transactions',
  OIDC_CLIENT_SECRET: 'a-secret',
  OIDC_REDIRECT_URL: 'https://ops.example/staff/callback',
  OIDC_ROLES: 'groups:support=read',
  PUBLIC_URL: 'https://payments.example',
  OPERATOR_PORT: '0',
};

function configOf(environment: Record<string, string>): Config {
  const read = readConfig(environment);
  assert.ok('config' in read, JSON.stringify(read));
  return read.config;
}

test('staff can sign in if all settings for it are set, and cannot if none is', () => {
  assert.equal(staffSignIn(configOf(ALL))?.settings.issuer, 'https://id.example');
  assert.equal(staffSignIn(configOf({})), null);
  assert.equal(staffSignIn(configOf({ PUBLIC_URL: ALL.PUBLIC_URL, OPERATOR_PORT: '0' })), null);
});

test('if only some are set, the error names the others', () => {
  for (const name of Object.keys(ALL)) {
    const { [name as keyof typeof ALL]: _, ...others } = ALL;
    assert.throws(() => staffSignIn(configOf(others)), {
      name: 'UsageError',
      message: new RegExp(`\\n  .*OIDC_.* are set without ${name}\\. Set all of them`),
    });
  }
  assert.throws(() => staffSignIn(configOf({ OIDC_ISSUER: ALL.OIDC_ISSUER })), {
    message:
      /OIDC_ISSUER is set without OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URL, OIDC_ROLES, PUBLIC_URL, OPERATOR_PORT\. /,
  });
});
