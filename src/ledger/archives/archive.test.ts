import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archivedBefore } from './archive.ts';

const archive = { beforeMs: Date.parse('2026-03-01T00:00:00Z') };

for (const [timeZone, day] of [
  [null, '2026-03-01'],
  ['UTC', '2026-03-01'],
  ['Europe/Berlin', '2026-03-02'],
  ['America/New_York', '2026-03-01'],
] as const)
  test(`the first day of ${timeZone ?? 'UTC'} of which nothing is archived is ${day}`, () => {
    assert.deepEqual(archivedBefore(archive, { fromMs: null, timeZone }), { archivedBefore: day });
    assert.deepEqual(archivedBefore(archive, { fromMs: archive.beforeMs - 1, timeZone }), {
      archivedBefore: day,
    });
    assert.deepEqual(archivedBefore(archive, { fromMs: archive.beforeMs, timeZone }), {});
    assert.deepEqual(archivedBefore(undefined, { fromMs: null, timeZone }), {});
  });
