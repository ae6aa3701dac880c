import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCursorSealer } from '../../src/ledger/list/cursor.ts';
import { createSealer } from '../../src/ledger/sealed-text.ts';
import { secureRandomBytes } from '../../src/service/random-bytes.ts';
import { createCookieSealer } from '../../src/staff/sealed-cookies.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { testConfig } from '../rig/service/app.ts';
import { buildStaffApp, rolesOfText, StaffBrowser, staffSettings } from '../rig/staff/staff-app.ts';

const FORGERIES = 10_000;
const SECRETS = ['a secret of the tests, long enough to be one'];
const ROLES = rolesOfText('groups:support=read');
const nowMs = Date.UTC(2026, 5, 15);
const sealer = createCookieSealer(SECRETS, secureRandomBytes);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test(`none of ${FORGERIES} altered cookies opens, whatever is altered in them`, () => {
  const random = new Random(seed);
  const cookies = [sealer.signIn('ada@platform.example', ROLES, nowMs), sealer.begin('store', nowMs).cookie];
  for (let number = 0; number < FORGERIES; number++) {
    const cookie = cookies[number % 2] as string;
    const at = random.integer(0, cookie.length - 1);
    const letter = random.pick([...ALPHABET]);
    const altered = random.pick([
      cookie.slice(0, at) + letter + cookie.slice(at + 1),
      cookie.slice(0, at),
      cookie.slice(0, at) + cookie.slice(at + 1),
      cookie + letter,
    ]);
    if (altered === cookie) continue;
    assert.equal(sealer.openSignedIn(altered, nowMs), undefined);
    assert.equal(sealer.openPending(altered, nowMs), undefined);
  }
});

test('a cookie of one purpose, of a cursor or of another secret opens nothing else', () => {
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

test('429: forged cookies, ways back and forms count as failed authentications', async () => {
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
