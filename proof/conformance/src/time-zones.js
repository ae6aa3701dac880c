import { dayIn, dayOf } from './transaction.js';

/** @typedef {{ timeZone: string, day: string }} ZoneDay */

/** Clocks in these zones are not set back across midnight. India's offset from UTC is not in whole hours. */
export const ZONES = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati'];

/**
 * Up to two days for each time zone. Each day has a transaction that is on another day in UTC.
 * @param {Context} t @returns {Promise<ZoneDay[]>}
 */
export async function zoneDays(t) {
  const rows = await t.facts.rows();
  const days = await t.facts.once('days of time zones', async () =>
    ZONES.flatMap((timeZone) => {
      const others = rows.filter((row) => dayIn(row.createdAt, timeZone) !== dayOf(row));
      const all = [...new Set(others.map((row) => dayIn(row.createdAt, timeZone)))];
      return t.random.sample(all, 2).map((day) => ({ timeZone, day }));
    }),
  );
  if (days.length === 0) t.notJudged('no transaction is on another day in any of four time zones');
  return days;
}
