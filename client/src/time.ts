import { ArgumentError } from './errors.ts';

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * The instant of a createdAt or paidAt.
 *
 * @example toDate('2026-03-30T09:30:00.000Z').getTime() // 1774863000000
 * @throws ArgumentError if the text is not a timestamp as the service writes it.
 */
export function toDate(timestamp: string): Date {
  const date = new Date(timestamp);
  // Date reads 30 February as 2 March.
  if (!TIMESTAMP.test(timestamp) || date.toJSON() !== timestamp)
    throw new ArgumentError('The text is not a UTC timestamp with milliseconds.');
  return date;
}

/**
 * The UTC day of an instant as YYYY-MM-DD, which the filters `from` and `to` take.
 *
 * @example utcDay(new Date('2026-03-30T23:30:00+02:00')) // '2026-03-30'
 * @throws ArgumentError if the date is invalid or outside the years 1 to 9999.
 */
export function utcDay(date: Date): string {
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (!TIMESTAMP.test(text) || text.startsWith('0000'))
    throw new ArgumentError('The date is invalid, or outside the years 1 to 9999.');
  return text.slice(0, 10);
}
