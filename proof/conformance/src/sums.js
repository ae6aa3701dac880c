import { formatMinor, minorUnits } from './transaction.js';

/**
 * @typedef {{ day?: string, month?: string, currencyCode: string, status: string, count: number,
 *   amount: string }} Total
 */

/** @param {Total} row */
const nameOf = ({ day = '', month = '', currencyCode, status }) =>
  `${day} ${month} ${currencyCode} ${status}`;

/** @param {readonly Total[]} rows @returns {Total[]} in the order of totals */
function add(rows) {
  /** @type {Map<string, { first: Total, count: number, minor: bigint }>} */
  const sums = new Map();
  for (const row of rows) {
    const sum = sums.get(nameOf(row)) ?? { first: row, count: 0, minor: 0n };
    sums.set(nameOf(row), {
      ...sum,
      count: sum.count + row.count,
      minor: sum.minor + minorUnits(row.amount),
    });
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { first, count, minor }]) => inOneOrder({ ...first, count, amount: formatMinor(minor) }));
}

/** @param {readonly Transaction[]} rows @param {boolean} [isByDay] */
export const totalsOf = (rows, isByDay = false) =>
  add(
    rows.map(({ createdAt, currencyCode, status, amount }) => ({
      ...(isByDay && { day: createdAt.slice(0, 10) }),
      currencyCode,
      status,
      count: 1,
      amount,
    })),
  );

/** @param {readonly Total[]} rows */
export const withoutDays = (rows) => add(rows.map(({ day: _, ...row }) => row));

/** @param {readonly Total[]} rows */
export const byMonth = (rows) =>
  add(rows.map(({ day = '', ...row }) => ({ month: day.slice(0, 7), ...row })));

/** @param {Total} row @returns {Total} with its fields in one order */
const inOneOrder = ({ day, month, currencyCode, status, count, amount }) => ({
  ...(day !== undefined && { day }),
  ...(month !== undefined && { month }),
  currencyCode,
  status,
  count,
  amount,
});

/** @param {readonly Total[]} rows */
export const normal = (rows) => rows.map(inOneOrder);
