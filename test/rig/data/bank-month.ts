import { dayOfZone } from '../../../values/time-zone.ts';
import type { Random } from '../run/random.ts';

export const ZONE = 'Europe/Berlin';
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const LINES = 3095;
export const [FIRST, LAST] = [Date.UTC(2026, 9, 1) / DAY_MS, Date.UTC(2026, 9, 31) / DAY_MS];

export interface Payment {
  order: string;
  cents: number;
  status: string;
  createdAtMs: number;
  paidAtMs: number;
  booked: number;
}

function bookedOn(paidAtMs: number): number {
  let day = dayOfZone(ZONE, paidAtMs) + 1;
  // Skips Saturdays and Sundays. Day 0, 1970-01-01, was a Thursday.
  while ([2, 3].includes(((day % 7) + 7) % 7)) day++;
  return day;
}

const isOfMonth = ({ booked }: Payment) => booked >= FIRST && booked <= LAST;

export function payments(random: Random): Payment[] {
  const made = [-2, 0].map((day) => {
    const paidAtMs = (FIRST + day) * DAY_MS + 12 * HOUR_MS;
    const times = { createdAtMs: paidAtMs - HOUR_MS, paidAtMs, booked: bookedOn(paidAtMs) };
    return { order: 'order-99000', cents: 14_900, status: 'completed', ...times };
  });
  for (let booked = made.filter(isOfMonth).length; booked < LINES; ) {
    const before = made.at(-1);
    const order = before && random.chance(0.03) ? before.order : `order-${100_000 + made.length}`;
    const paidAtMs = FIRST * DAY_MS + random.integer(-3 * 24 * HOUR_MS, 34 * 24 * HOUR_MS);
    const one: Payment = {
      order,
      cents: random.chance(0.3) ? 14_900 : random.integer(100, 400_000),
      status: random.pick(['completed', 'completed', 'completed', 'refunded', 'disputed']),
      createdAtMs: paidAtMs - random.integer(1000, 30 * HOUR_MS),
      paidAtMs,
      booked: bookedOn(paidAtMs),
    };
    made.push(one);
    if (isOfMonth(one)) booked++;
  }
  return made;
}

function purposeOf(order: string, random: Random): string {
  const written = random.pick([
    order,
    order.toUpperCase(),
    order.replace('-', ' ').toUpperCase(),
    `NR.${order}`,
  ]);
  const text = random.pick([
    `SVWZ+RECHNUNG ${written} VOM 03.10.2026 DANKE`,
    `EREF+NOTPROVIDED KREF+77${random.integer(100_000, 999_999)} ${written}/KUNDE 4711`,
    written,
    `Ueberweisung Shop ${written}`,
  ]);
  return text.replaceAll(/.{27}(?=.)/g, '$& ');
}

const dateOf = (day: number) =>
  new Date(day * DAY_MS).toISOString().slice(0, 10).split('-').reverse().join('.');
const euros = (cents: number) =>
  new Intl.NumberFormat('de', { minimumFractionDigits: 2 }).format(cents / 100);

export function bankFile(all: readonly Payment[], random: Random) {
  const orders = Object.groupBy(all, ({ order }) => order);
  const single = all.filter(
    (one) => orders[one.order]?.length === 1 && one.booked >= FIRST + 5 && one.booked <= LAST - 10,
  );
  const [leftOut, changed] = [new Set(single.slice(0, 3)), new Set(single.slice(3, 7))];
  const rows = all
    .filter((one) => isOfMonth(one) && !leftOut.has(one))
    .map((one) => ({ ...one, cents: one.cents + (changed.has(one) ? 1 : 0) }))
    .concat(
      ['GEHALT MUELLER', 'order-999999', 'ENTGELTABSCHLUSS 10482'].map((order) => ({
        ...(all[0] as Payment),
        ...{ order, cents: -999, booked: FIRST + 3 },
      })),
    )
    .map((one) => `${dateOf(one.booked)};"${purposeOf(one.order, random)}";${euros(one.cents)};EUR`);
  const file = `Buchungstag;Verwendungszweck;Betrag;W\u00e4hrung\r\n${rows.join('\r\n')}\r\n`;
  return { file, leftOut, changed };
}
