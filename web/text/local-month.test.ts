import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInMonth, type LocalMonth, localMonth, startOfDay } from './local-month.ts';

const at = (day: string, zone: string) => new Date(startOfDay(day, zone)).toISOString();
const monthIn = (zone: string, month: string, last: string): LocalMonth => {
  const found = localMonth(`${month}-01`, `${month}-${last}`, zone, '2030-01-01');
  assert.ok(found !== undefined, `${month} in ${zone}`);
  return found;
};

test('a day begins at midnight of its zone, on both sides of a change of the clocks', () => {
  assert.equal(at('2026-03-01', 'Europe/Berlin'), '2026-02-28T23:00:00.000Z');
  assert.equal(at('2026-03-29', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z');
  assert.equal(at('2026-03-30', 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
  assert.equal(at('2026-10-25', 'Europe/Berlin'), '2026-10-24T22:00:00.000Z');
  assert.equal(at('2026-10-26', 'Europe/Berlin'), '2026-10-25T23:00:00.000Z');
});

test('a day whose midnight the clocks skip begins after the gap, and one whose midnight repeats with the first', () => {
  // The clocks of Cairo went from 23:59:59 to 01:00, those of Havana from 00:59:59 to 00:00.
  assert.equal(at('2024-04-26', 'Africa/Cairo'), '2024-04-25T22:00:00.000Z');
  assert.equal(at('2024-11-03', 'America/Havana'), '2024-11-03T04:00:00.000Z');
});

test('a day that a zone skipped has no length', () => {
  // Samoa had no 30 December 2011.
  assert.equal(at('2011-12-30', 'Pacific/Apia'), at('2011-12-31', 'Pacific/Apia'));
});

test('a month is covered by its UTC days, also in zones with half hours and at the ends of years', () => {
  const india = monthIn('Asia/Kolkata', '2026-01', '31');
  assert.equal(new Date(india.fromMs).toISOString(), '2025-12-31T18:30:00.000Z');
  assert.equal(new Date(india.beforeMs).toISOString(), '2026-01-31T18:30:00.000Z');
  assert.deepEqual(india.days, { from: '2025-12-31', to: '2026-01-31' });
  const york = monthIn('America/New_York', '2025-12', '31');
  assert.equal(york.label, 'December 2025 in America/New_York');
  assert.deepEqual(york.days, { from: '2025-12-01', to: '2026-01-01' });
  // Three quarters of an hour, and a half hour of daylight saving.
  const kathmandu = monthIn('Asia/Kathmandu', '2024-02', '29');
  assert.equal(new Date(kathmandu.beforeMs).toISOString(), '2024-02-29T18:15:00.000Z');
  const howe = monthIn('Australia/Lord_Howe', '2026-04', '30');
  assert.equal(howe.beforeMs - howe.fromMs, 30 * 86_400_000 + 1_800_000);
});

test('the months of a year meet, and every instant is in exactly one of them', () => {
  for (const zone of ['Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const months = Array.from({ length: 12 }, (_, index) => {
      const last = String(new Date(Date.UTC(2026, index + 1, 0)).getUTCDate());
      return monthIn(zone, `2026-${String(index + 1).padStart(2, '0')}`, last);
    });
    for (const [index, { beforeMs, days }] of months.entries()) {
      const next = months[index + 1];
      if (next !== undefined) assert.equal(next.fromMs, beforeMs, zone);
      const edges = [beforeMs - 1, beforeMs].map((timeMs) => new Date(timeMs).toISOString());
      assert.deepEqual(
        edges.map((edge) => months.filter((month) => isInMonth(edge, month)).length),
        [1, next === undefined ? 0 : 1],
      );
      assert.equal(edges[0]?.slice(0, 10), days.to);
    }
  }
});

test('a month with a change of the clocks has an hour more or less', () => {
  const hours = ({ fromMs, beforeMs }: LocalMonth) => (beforeMs - fromMs) / 3_600_000;
  assert.equal(hours(monthIn('Europe/Berlin', '2026-03', '31')), 31 * 24 - 1);
  assert.equal(hours(monthIn('Europe/Berlin', '2026-10', '31')), 31 * 24 + 1);
});

test('a month is offered for a whole month, and for the present one up to today', () => {
  const berlin = (from?: string, to?: string) => localMonth(from, to, 'Europe/Berlin', '2026-06-15')?.month;
  assert.equal(berlin('2026-05-01', '2026-05-31'), '2026-05');
  assert.equal(berlin('2026-06-01', '2026-06-15'), '2026-06');
  assert.equal(berlin('2026-06-01', '2026-06-30'), '2026-06');
  assert.equal(berlin('2026-06-01', '2026-06-14'), undefined);
  assert.equal(berlin('2026-05-02', '2026-05-31'), undefined);
  assert.equal(berlin('2026-05-01', '2026-06-15'), undefined);
  assert.equal(berlin('2026-04-01', '2026-06-30'), undefined);
  assert.equal(berlin('2026-05-01'), undefined);
});

test('a zone whose month is the UTC month offers none', () => {
  assert.equal(localMonth('2026-01-01', '2026-01-31', 'UTC', '2026-06-15'), undefined);
  assert.equal(localMonth('2026-01-01', '2026-01-31', 'Europe/London', '2026-06-15'), undefined);
  assert.equal(monthIn('Europe/London', '2026-03', '31').days.to, '2026-03-31');
});
