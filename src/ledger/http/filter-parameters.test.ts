import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultList, type ParameterFault } from '../../../values/fault-list.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import { addRangeFaults } from './filter-parameters.ts';

test('days in the wrong order are faults, both for createdAt and for paidAt', () => {
  const faults = new FaultList<ParameterFault<ErrorCode>>();
  const [first, second] = ['2026-01-01', '2026-01-02'];
  addRangeFaults(faults, { from: first, to: first, paidFrom: null, paidTo: second });
  assert.equal(faults.count, 0);
  addRangeFaults(faults, { from: second, to: first, paidFrom: second, paidTo: first });
  assert.deepEqual(
    faults.listed.map(({ parameter, code }) => `${parameter} ${code}`),
    ['from date_range_inverted', 'paidFrom date_range_inverted'],
  );
});
