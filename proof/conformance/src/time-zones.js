import { dayIn, dayOf } from './transaction.js';

/** @typedef {{ timeZone: string, day: string }} ZoneDay */

/**
 * Add no zone whose clocks are set back across midnight: a day would then not be one range of time. Keep one
 * zone, such as Asia/Kolkata, whose offset from UTC is not in whole hours.
 */
export const ZONES = ['Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati'];

/** @param {Context} t @returns {Promise<ZoneDay[]>} */
export async function zoneDays(t) {
  const rows = await t.facts.rows();
  const days = await t.facts.once('days of time zones', async () =>
    ZONES.flatMap((timeZone) => {
      const onOtherDayInUtc = rows.filter((row) => dayIn(row.createdAt, timeZone) !== dayOf(row));
      const all = [...new Set(onOtherDayInUtc.map((row) => dayIn(row.createdAt, timeZone)))];
      return t.random.sample(all, 2).map((day) => ({ timeZone, day }));
    }),
  );
  if (days.length === 0) t.notJudged('no transaction is on another day in any of four time zones');
  return days;
}
