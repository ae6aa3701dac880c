/**
 * @typedef {object} Transaction
 * @property {string} reference
 * @property {string | null} merchantReference
 * @property {string} status
 * @property {string} amount
 * @property {string} currencyCode
 * @property {string | null} paidAt
 * @property {string} createdAt
 * @property {string} [relatedTo]
 * @property {Record<string, string>} [details]
 * @property {string} [detailsRemovedAt]
 */

/**
 * @typedef {object} Filter
 * @property {string} [status]
 * @property {string} [currency]
 * @property {string} [from]
 * @property {string} [to]
 * @property {string} [timeZone]
 * @property {string} [merchantReference]
 */

export const FIELDS = /** @type {const} */ ([
  'reference',
  'merchantReference',
  'status',
  'amount',
  'currencyCode',
  'paidAt',
  'createdAt',
]);

/** @param {Transaction} row */
export const valuesOf = (row) => FIELDS.map((field) => row[field]);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** @param {unknown} value */
export function isTime(value) {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  const at = Date.parse(value);
  return !Number.isNaN(at) && new Date(at).toISOString() === value;
}

/** @param {object | undefined} row */
export const inOneOrder = (row) => row && Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));

/** @param {Transaction} a @param {Transaction} b */
export function compareInList(a, b) {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return -Buffer.compare(Buffer.from(a.reference), Buffer.from(b.reference));
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const calendars = new Map();

/** @param {string} time @param {string} [timeZone] */
export function dayIn(time, timeZone = 'UTC') {
  if (timeZone === 'UTC') return time.slice(0, 10);
  // The Swedish format is YYYY-MM-DD.
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  calendars.set(timeZone, calendar);
  return calendar.format(new Date(time));
}

/** @param {Transaction} row */
export const dayOf = (row) => dayIn(row.createdAt);

/** @param {Transaction} row @param {Filter} filter */
export function matches(row, { status, currency, from, to, timeZone, merchantReference }) {
  const day = dayIn(row.createdAt, timeZone);
  return (
    (status === undefined || row.status === status) &&
    (currency === undefined || row.currencyCode === currency) &&
    (from === undefined || day >= from) &&
    (to === undefined || day <= to) &&
    (merchantReference === undefined || row.merchantReference === merchantReference)
  );
}

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** The day stays within the years 0001 to 9999. @param {string} day @param {number} days */
export function addDays(day, days) {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  const year = date.getUTCFullYear();
  if (year < 1) return FIRST_DAY;
  return year > 9999 ? LAST_DAY : date.toISOString().slice(0, 10);
}

/** @param {string} amount @returns {bigint} hundredths */
export const minorUnits = (amount) => BigInt(amount.replace('.', ''));

/** @param {bigint} minor */
export function formatMinor(minor) {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** @param {Transaction | undefined} row */
export const showRow = (row) =>
  row === undefined
    ? 'nothing'
    : `${row.reference} (${row.status}, ${row.amount} ${row.currencyCode}, ${row.createdAt})`;

/** @param {Filter} filter */
export function showFilter(filter) {
  const text = Object.entries(filter)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return text === '' ? 'the list without filters' : `the list with ${text}`;
}
