import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotedInstance, SharedSettings } from '../../instances/instance.ts';
import { checkDatabase, type DoctorFacts } from './check-database.ts';
import { checkInstances } from './check-instances.ts';
import { checkBackup, checkCertificate, checkClock, checkDisk, type Disk } from './check-machine.ts';
import type { Finding } from './finding.ts';

const NOW_MS = Date.UTC(2026, 5, 15, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function assertFinding(finding: Finding | undefined, status: Finding['status'], found: RegExp) {
  assert.equal(finding?.status, status, JSON.stringify(finding));
  assert.match(finding?.found ?? '', found);
  assert.equal(finding?.todo === null, status === 'ok');
}

const instance = (host: string, settings: SharedSettings, version = '1'): NotedInstance => ({
  instance: host,
  host,
  version,
  settings,
  startedAtMs: 0,
  seenAtMs: 0,
});
const settingsOf = (...all: SharedSettings[]) =>
  checkInstances(all.map((settings, at) => instance(`web-${at}`, settings)))[0];

test('settings: equal on all instances, or the one that differs with its values and hosts', () => {
  assertFinding(checkInstances([])[0], 'unknown', /no instance/);
  assertFinding(settingsOf({ STATUSES: 'a:paid' }, { STATUSES: 'a:paid' }), 'ok', /equal on 2 instances/);
  assertFinding(
    settingsOf({ STATUSES: 'a:paid' }, { STATUSES: '' }, { STATUSES: '' }),
    'wrong',
    /^STATUSES differs: "a:paid" on web-0; "" on web-1, web-2$/,
  );
});

test('settings: secrets that differ are wrong, unless each instance decrypts what the others encrypt', () => {
  const of = (...all: (readonly string[])[]) =>
    settingsOf(...all.map((CURSOR_SECRETS) => ({ CURSOR_SECRETS })));
  assertFinding(of(['x'], ['x']), 'ok', /equal/);
  assertFinding(of(['x'], ['x', 'y']), 'warning', /value 1 on web-0; value 2 on web-1/);
  assertFinding(of(['x', 'y'], ['y', 'x']), 'warning', /decrypts/);
  assertFinding(of(['x'], ['y', 'x']), 'wrong', /differs/);
  assertFinding(of(['x'], []), 'wrong', /none on web-1/);
});

test('version: one, or each with its hosts', () => {
  const of = (...versions: string[]) =>
    checkInstances(versions.map((version, at) => instance(`web-${at}`, {}, version)))[1];
  assertFinding(of('1', '1'), 'ok', /^1$/);
  assertFinding(of('1', '2'), 'warning', /^1 on web-0; 2 on web-1$/);
});

test('clock: more than 5 s from the database is wrong, in either direction', () => {
  assertFinding(checkClock(5000, false), 'ok', /within 5 s/);
  assertFinding(checkClock(0, true), 'ok', /last write/);
  assertFinding(checkClock(5001, false), 'wrong', /5\.0 s ahead of/);
  assertFinding(checkClock(-7_200_000, true), 'wrong', /7200\.0 s behind/);
});

test('backup: older than 36 hours is wrong', () => {
  assertFinding(checkBackup('/f', NOW_MS - 36 * HOUR_MS, NOW_MS), 'ok', /36 hours ago/);
  assertFinding(checkBackup('/f', NOW_MS - 37 * HOUR_MS, NOW_MS), 'wrong', /37 hours ago/);
  assertFinding(checkBackup('/f', undefined, NOW_MS), 'unknown', /no file \/f/);
});

test('certificate: the days left are counted, less than 21 are a warning, and none left is wrong', () => {
  const of = (days: number) => checkCertificate('the server', NOW_MS + days * DAY_MS, NOW_MS);
  assertFinding(of(21), 'ok', /21 days left/);
  assertFinding(of(20), 'warning', /20 days left/);
  assertFinding(of(0), 'wrong', /expired/);
});

test('disk: less than 10 % is a warning, less than 2 % is wrong, and memory is a warning', () => {
  const of = (percent: number, isInMemory = false, files: Disk['files'] = 'the database') =>
    checkDisk({ folder: '/f', files, freeBytes: percent * 1e9, totalBytes: 1e11, isInMemory });
  assertFinding(of(10), 'ok', /10\.0 GB free, 10 %/);
  assertFinding(of(9), 'warning', /9 %/);
  assertFinding(of(1), 'wrong', /1 %/);
  assertFinding(of(50, true), 'warning', /in memory/);
  assert.match(of(50, true).todo ?? '', /^move it to a disk/);
  assert.match(of(50, true, 'temporary files').todo ?? '', /^set SQLITE_TMPDIR/);
});

const HEALTHY: DoctorFacts = {
  role: 'owner',
  isSuperuser: false,
  missing: { serving: [], recording: [] },
  isEncrypted: true,
  isPlainTextMeant: false,
  isLocal: false,
  isPooled: false,
  missingTimeouts: [],
  durability: { isFsyncOn: true, hasStandbys: true, waits: true },
  standbys: [{ name: 'db2', state: 'streaming', behindBytes: 0, repliedMsAgo: 1000 }],
  idleSlots: [],
  amcheck: 'usable',
  archive: { archivedMsAgo: 1000, failedMsAgo: null },
  databaseBytes: 1e6,
};

const standby = (state: string | null, behindBytes: number | null, repliedMsAgo: number | null) => ({
  standbys: [{ name: 'db2', state, behindBytes, repliedMsAgo }],
});
const lacking = (serving: string[], recording: string[]) => ({ missing: { serving, recording } });
const durability = (isFsyncOn: boolean, hasStandbys: boolean) => ({
  durability: { isFsyncOn, hasStandbys, waits: false },
});

const FAULTS: Readonly<Record<string, Partial<DoctorFacts>>> = {
  'role wrong lacks INSERT on instances': lacking(['INSERT on instances'], []),
  'role wrong lacks INSERT on accounts': lacking([], ['INSERT on accounts']),
  'role warning superuser': { isSuperuser: true },
  'encryption warning plain text': { isEncrypted: false },
  'pooler warning lock_timeout is off': { missingTimeouts: ['lock_timeout'] },
  'durability wrong fsync': durability(false, false),
  'durability warning do not wait': durability(true, true),
  'durability unknown may not read': { durability: null },
  'standbys warning 20.0 MB behind': standby('streaming', 2e7, 0),
  'standbys warning 60 s ago': standby('streaming', 0, 60_000),
  'standbys unknown may not see': standby(null, null, null),
  'standbys warning db3: away': { standbys: [], idleSlots: [{ name: 'db3', keptBytes: 1e9 }] },
  'amcheck warning not there': { amcheck: 'missing' },
  'amcheck warning may not use it': { amcheck: 'forbidden' },
  'amcheck unknown workers': { amcheck: 'distributed' },
  'archive wrong failed': { archive: { archivedMsAgo: 9000, failedMsAgo: 1000 } },
};

test('server: a healthy server needs no action, except to watch its disk, which the check cannot see', () => {
  const findings = checkDatabase(HEALTHY, { records: true, acceptsAsynchronous: false });
  assert.deepEqual(
    findings.filter(({ status }) => status !== 'ok').map(({ check, status }) => [check, status]),
    [['disk', 'unknown']],
  );
});

for (const [text, change] of Object.entries(FAULTS))
  test(`server: ${text}`, () => {
    const [check, status, ...words] = text.split(' ');
    const findings = checkDatabase({ ...HEALTHY, ...change }, { records: true, acceptsAsynchronous: false });
    const finding = findings.find((one) => one.check === check);
    assertFinding(finding, status as Finding['status'], new RegExp(words.join(' ')));
  });

test('server: a role that may only serve is ok without the interface of the operator and amcheck, and accepted standbys are ok', () => {
  const missing = { serving: [], recording: ['INSERT on accounts'] };
  const durability = { isFsyncOn: true, hasStandbys: true, waits: false };
  const findings = checkDatabase(
    { ...HEALTHY, missing, durability, amcheck: 'forbidden' },
    { records: false, acceptsAsynchronous: true },
  );
  for (const check of ['role', 'durability', 'amcheck'])
    assertFinding(
      findings.find((finding) => finding.check === check),
      'ok',
      /./,
    );
});
