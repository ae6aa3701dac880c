import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCursorSealer } from '../../src/ledger/list/cursor.ts';
import { createSealer } from '../../src/ledger/sealed-text.ts';
import { secureRandomBytes } from '../../src/service/random-bytes.ts';
import { createCookieSealer } from '../../src/staff/sealed-cookies.ts';
import { testConfig } from '../rig/service/app.ts';
import { buildStaffApp, rolesOfText, StaffBrowser, staffSettings } from '../rig/staff/staff-app.ts';

const SECRETS = ['a secret of the tests, long enough to be one'];
const ROLES = rolesOfText('groups:support=read');
const nowMs = Date.UTC(2026, 5, 15);
const sealer = createCookieSealer(SECRETS, secureRandomBytes);

test('a cookie of another purpose or another secret, or a cursor, is not accepted as a cookie', () => {
  const others = [
    sealer.begin('', nowMs).cookie,
    createCookieSealer(['another secret of the tests, as long as it must be'], secureRandomBytes).signIn(
      'ada',
      ROLES,
      nowMs,
    ),
    createSealer(SECRETS, secureRandomBytes).seal('signed in', nowMs + 1, ['ada', 'token', 'role']),
    createCursorSealer(SECRETS, secureRandomBytes).sealPosition('signed in', ['ada'], nowMs + 1),
    '',
    'AA',
    'x'.repeat(20_000),
  ];
  for (const cookie of others) assert.equal(sealer.openSignedIn(cookie, nowMs), undefined);
  assert.equal(sealer.openPending(sealer.signIn('ada', ROLES, nowMs), nowMs), undefined);
});

test('429: forged cookies, forged redirects from the provider and forged forms count as failed authentications', async () => {
  const forged: [path: string, cookie: string, form?: Record<string, string>][] = [
    ['/staff', 'staff=forged'],
    ['/staff/looks', 'staff=forged'],
    ['/staff/callback?code=a&state=b', 'staff-sign-in=forged'],
    ['/staff/sessions', 'staff=forged', { account: 'store-1', reason: 'x', token: 'x' }],
    ['/staff/sign-out', '', { token: 'x' }],
  ];
  const config = { ...testConfig, failedAuthenticationRateLimit: { perSecond: 1, burst: 20 } };
  for (const [path, cookie, form] of forged) {
    const app = await buildStaffApp(staffSettings('http://127.0.0.1:1'), { config });
    const statuses = new Set<number>();
    let last = '';
    for (let tries = 0; tries < 30; tries++) {
      const { status, text } = await new StaffBrowser().send(app, path, form, { cookie });
      statuses.add(status);
      last = text;
    }
    assert.equal(statuses.size, 2, path);
    assert.ok(statuses.has(429), path);
    assert.ok(![...statuses].some((status) => status < 400), path);
    assert.match(last, /<h1>/);
  }
});
