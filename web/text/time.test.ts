import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/properties.ts';
import { timeParts } from './time.ts';

test('a UTC time is shown as the service wrote it, with or without milliseconds', () => {
  const timestamp = '2026-03-29T01:30:00.007Z';
  assert.deepEqual(timeParts(timestamp, 'utc'), { day: '2026-03-29', time: '01:30:00', zone: 'UTC' });
  assert.equal(timeParts(timestamp, 'utc', true).time, '01:30:00.007');
});

test('a local time and its offset mean the same instant, in every zone and across clock changes', () => {
  const zone = process.env['TZ'];
  try {
    for (const name of [
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'UTC',
    ]) {
      process.env['TZ'] = name;
      fc.assert(
        fc.property(fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2037, 0, 1) }), (timeMs) => {
          const timestamp = new Date(timeMs).toISOString();
          const { day, time, zone: offset } = timeParts(timestamp, 'local', true);
          assert.equal(Date.parse(`${day}T${time}${offset.replace('\u2212', '-')}`), timeMs, name);
        }),
      );
    }
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});
