import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/run/properties.ts';
import { ageText } from './age.ts';
import { isRepeated, timeParts } from './time.ts';

test('a UTC time is shown as the service wrote it, to the second', () => {
  const timestamp = '2026-03-29T01:30:00.007Z';
  const parts = { day: '2026-03-29', time: '01:30:00', minute: '01:30', offset: 'UTC' };
  assert.deepEqual(timeParts(timestamp, 'UTC'), parts);
  assert.deepEqual(timeParts(Date.parse(timestamp), 'UTC'), parts);
});

test('a local time and its offset mean the same instant, in every zone and across clock changes', () => {
  for (const name of [
    'Europe/Berlin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Etc/UTC',
  ])
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1975, 0, 1) / 1000, max: Date.UTC(2037, 0, 1) / 1000 }),
        (seconds) => {
          const timeMs = seconds * 1000;
          const { day, time, offset } = timeParts(new Date(timeMs).toISOString(), name);
          assert.equal(Date.parse(`${day}T${time}${offset.replace('\u2212', '-')}`), timeMs, name);
        },
      ),
    );
});

test('a time is repeated only in the hour, or half hour, that clocks show twice', () => {
  const repeated = (zone: string, times: readonly string[]) => times.map((time) => isRepeated(time, zone));
  const autumn = [
    '2026-10-24T23:59:59.999Z',
    '2026-10-25T00:00:00Z',
    '2026-10-25T01:59:59.999Z',
    '2026-10-25T02:00:00Z',
  ];
  assert.deepEqual(repeated('Europe/Berlin', autumn), [false, true, true, false]);
  assert.deepEqual(repeated('UTC', autumn), [false, false, false, false]);
  const spring = ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'];
  assert.deepEqual(repeated('Europe/Berlin', spring), [false, false]);
  const lordHowe = [
    '2026-04-04T14:29:00Z',
    '2026-04-04T14:31:00Z',
    '2026-04-04T15:29:00Z',
    '2026-04-04T15:31:00Z',
  ];
  assert.deepEqual(repeated('Australia/Lord_Howe', lordHowe), [false, true, true, false]);
});

test('a local mean time has the seconds of its offset', () => {
  const { time, offset } = timeParts('1890-01-01T00:00:00.000Z', 'Europe/Berlin');
  assert.deepEqual([time, offset], ['00:53:28', '+00:53:28']);
});

test('an age is in the largest unit of which it has at least two, and is never negative', () => {
  const hours = [49, 47, 1.9, 0, -20];
  const ages = ['2 days', '47 hours', '114 minutes', '0 minutes', '0 minutes'];
  assert.deepEqual(
    hours.map((one) => ageText(one * 3_600_000)),
    ages,
  );
});
