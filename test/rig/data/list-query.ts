import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type CursorContent, createCursorSealer } from '../../../src/ledger/list/cursor.ts';
import { listQueryReader } from '../../../src/ledger/list/http/list-query.ts';
import type { ListQuery } from '../../../src/ledger/list/list.ts';
import { isMerchantReference } from '../../../src/ledger/transaction.ts';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import type { ParameterFault } from '../../../values/fault-list.ts';
import type { EqualityFilter, FilterName } from '../../../values/interface/filters.ts';
import { Problem } from '../../../values/problem.ts';
import { BUILT_IN_STATUSES } from '../../../values/status.ts';
import { fc } from '../run/properties.ts';
import { EQUALITY_VALUES } from './list-cases.ts';

export type Query = Record<string, string | string[]>;

export const ACCOUNT = 'store-1';
export const NOW_MS = Date.UTC(2026, 5, 15, 12);
export const LIFETIME_SECONDS = 86_400;
export const cursors = createCursorSealer(['a secret of the tests, long enough to be one'], randomBytes);
const statuses = new Map([...BUILT_IN_STATUSES, ['failed', 'unpaid'] as const]);
const readQuery = listQueryReader(statuses, cursors, LIFETIME_SECONDS);

export function read(query: Query, account = ACCOUNT): ListQuery {
  return readQuery(query, account, NOW_MS);
}

export function problemOf(query: Query, account = ACCOUNT): Problem {
  try {
    read(query, account);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return assert.fail(`${JSON.stringify(query)} was accepted`);
}

export function faultOf(query: Query): ParameterFault {
  const problem = problemOf(query);
  const [fault, ...further] = problem.options.errors ?? [];
  assert.ok(fault !== undefined && further.length === 0, JSON.stringify(problem.options.errors));
  assert.equal(problem.status, 400);
  assert.deepEqual([problem.code, problem.message], [fault.code, fault.detail]);
  return fault;
}

export function faultsOf(query: Query): string[] {
  const problem = problemOf(query);
  return (problem.options.errors ?? []).map(({ parameter, code }) => `${parameter} ${code}`).sort();
}

const FILTER_VALUES = {
  ...(Object.fromEntries(
    Object.entries(EQUALITY_VALUES).map(([name, [one, other]]) => [name, [one, other]]),
  ) as Record<EqualityFilter, [string, string]>),
  from: ['2026-01-01', '2026-01-02'],
  to: ['2026-03-31', '2026-03-30'],
  timeZone: ['Europe/Berlin', 'America/Lima'],
} as const satisfies Record<FilterName, readonly [string, string]>;

const filterOf = (nth: 0 | 1) =>
  Object.fromEntries(Object.entries(FILTER_VALUES).map(([name, values]) => [name, values[nth]])) as Record<
    FilterName,
    string
  >;

export const CARRIED = filterOf(0);
export const OTHERS = filterOf(1);

export const CONTENT: CursorContent = {
  filter: CARRIED,
  after: { createdAtMs: Date.UTC(2026, 1, 20, 23, 59, 59, 999), reference: 'tx-1' },
  expiresAtMs: NOW_MS + 1,
};
export const CURSOR = cursors.seal(ACCOUNT, CONTENT);
export const EXPIRED: CursorContent = { ...CONTENT, expiresAtMs: NOW_MS };

export const identifier = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
const timeMs = fc.integer({ min: FIRST_TIMESTAMP_MS, max: LAST_TIMESTAMP_MS });
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 });
const day = fc.option(fc.stringMatching(/^\d{4}-\d{2}-\d{2}$/));
const plain = { noNullPrototype: true } as const;
export const anyContent: fc.Arbitrary<CursorContent> = fc.record(
  {
    filter: fc.record(
      {
        status: fc.option(fc.stringMatching(/^[a-z][a-z0-9_]{0,31}$/)),
        currency: fc.option(fc.stringMatching(/^[A-Z]{3}$/)),
        from: day,
        to: day,
        timeZone: fc.option(fc.constantFrom('UTC', 'America/Argentina/ComodRivadavia')),
        merchantReference: fc.option(text.filter(isMerchantReference)),
      },
      plain,
    ),
    after: fc.record(
      {
        createdAtMs: timeMs,
        reference: identifier,
        logPosition: fc.stringMatching(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/),
      },
      { ...plain, requiredKeys: ['createdAtMs', 'reference'] },
    ),
    expiresAtMs: timeMs,
  },
  plain,
);
