import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import { fc } from '../../../test/rig/run/properties.ts';
import type { Transaction } from '../transaction.ts';
import { NO_EXPORT_FILTER } from './export.ts';
import { csvHeader, lineFormatter } from './export-lines.ts';

const csv = (fields: Partial<Transaction>, spreadsheet = false) =>
  lineFormatter({ format: 'csv', spreadsheet, filter: NO_EXPORT_FILTER })({ ...SAMPLE, ...fields });

test('a line of CSV is read back as it was, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (merchantReference) => {
      const [row] = parse(csv({ merchantReference })) as string[][];
      assert.equal(row?.[1], merchantReference);
    }),
  );
});

test('with a time zone, the local times follow, with their offsets: also in the hour that the clocks show twice', () => {
  const filter = { ...NO_EXPORT_FILTER, timeZone: 'Europe/Berlin', relatedTo: 'true' };
  assert.match(csvHeader(filter), /,createdAt,paidAtLocal,createdAtLocal,relatedTo\r\n$/);
  const lineOf = lineFormatter({ format: 'csv', spreadsheet: false, filter });
  const timesOf = (createdAt: string, paidAt: string | null) =>
    lineOf({
      ...SAMPLE,
      status: paidAt === null ? 'pending' : 'completed',
      createdAtMs: Date.parse(createdAt),
      paidAtMs: paidAt === null ? null : Date.parse(paidAt),
    })
      .split(',')
      .slice(5, 9);
  assert.deepEqual(timesOf('2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.007Z'), [
    '2026-10-25T01:30:00.007Z',
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T02:30:00.007+01:00',
    '2026-10-25T02:30:00.000+02:00',
  ]);
  assert.deepEqual(timesOf('2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z').slice(2), [
    '2026-10-25T23:59:59.999+01:00',
    '2026-10-25T00:00:00.000+02:00',
  ]);
  assert.deepEqual(timesOf('1890-01-01T00:00:00.000Z', null).slice(2), [
    '',
    '1890-01-01T00:53:28.000+00:53:28',
  ]);
  assert.equal(csvHeader({ ...filter, timeZone: 'UTC' }), csvHeader({ ...filter, timeZone: null }));
});
