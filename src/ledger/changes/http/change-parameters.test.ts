import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParameterFault } from '../../../../values/parameter-fault.ts';
import { Problem } from '../../../../values/problem.ts';
import { type ChangeRequest, readChangeRequest } from './change-parameters.ts';

const ID = 'chg_Zt7vJ2mXq0YtR5cQe1-_Kd';

type Parameters = Record<string, string | string[]>;

function read(parameters: Parameters): { request?: ChangeRequest; faults: readonly ParameterFault[] } {
  try {
    return { request: readChangeRequest(parameters), faults: [] };
  } catch (error) {
    assert.ok(error instanceof Problem);
    return { faults: error.options.errors ?? [] };
  }
}

test('without parameters, a request is for the first 100 changes and does not wait', () => {
  assert.deepEqual(read({}), {
    request: { after: 0, afterId: undefined, limit: 100, waitMs: 0 },
    faults: [],
  });
});

test('the smallest and the largest value of each parameter are read', () => {
  assert.deepEqual(read({ after: '0', limit: '1', wait: '0' }), {
    request: { after: 0, afterId: undefined, limit: 1, waitMs: 0 },
    faults: [],
  });
  assert.deepEqual(read({ after: '9007199254740991', afterId: ID, limit: '1000', wait: '30' }), {
    request: { after: Number.MAX_SAFE_INTEGER, afterId: ID, limit: 1000, waitMs: 30_000 },
    faults: [],
  });
});

const FAULTY: [parameter: string, code: string, values: string[]][] = [
  ['after', 'invalid_sequence', ['', '-1', '+1', '1.0', '01', '1e3', ' 1', 'x', '٣', '9007199254740992']],
  [
    'afterId',
    'invalid_change_id',
    ['', '7', 'null', `${ID} `, ID.slice(1), `${ID}0`, ID.toUpperCase(), 'tx_1'],
  ],
  ['limit', 'invalid_limit', ['', '0', '-1', '1.5', '010', '1001', 'all', '99999999999999999999']],
  ['wait', 'invalid_wait', ['', '-1', '0.5', '5s', '31', '030', 'true']],
];

for (const [parameter, code, values] of FAULTY) {
  for (const value of values) {
    test(`${parameter}=${value} is ${code}, and its text says what to send`, () => {
      const { faults } = read({ [parameter]: value });
      assert.deepEqual(
        faults.map((fault) => [fault.parameter, fault.code]),
        [[parameter, code]],
      );
      assert.match(
        faults[0]?.detail ?? '',
        /Send (the last(Sequence|Id)|a whole number from|limit=1000|wait=30)/,
      );
    });
  }
}

test('a sequence number with leading zeros is refused with that reason', () => {
  for (const value of ['007', '00']) {
    const { faults } = read({ after: value });
    assert.equal(
      faults[0]?.detail,
      `"${value}" begins with 0. Write the number without leading zeros. Send the lastSequence of the page before, or 0 for the first change.`,
    );
  }
});

test('a repeated parameter is refused, whatever its values', () => {
  for (const parameter of ['after', 'afterId', 'limit', 'wait']) {
    const detail = `${parameter} is sent more than once. Send it once.`;
    assert.deepEqual(read({ [parameter]: ['1', '1'] }).faults, [
      { parameter, code: 'duplicate_parameter', detail },
    ]);
  }
});

const UNKNOWN: [name: string, right: RegExp][] = [
  ['cursor', /send lastSequence as after/],
  ['lastSequence', /send lastSequence as after/],
  ['starting_after', /send lastSequence as after/],
  ['status', /has no filters: omit status/],
  ['merchantReference', /has no filters/],
  ['limt', /did you mean limit\?/],
  ['waits', /did you mean wait\?/],
  ['toString', /"toString" is not a parameter; the parameters are after, afterId, limit, wait\./],
];

for (const [name, right] of UNKNOWN) {
  test(`the text of the unknown parameter ${name} names what to use`, () => {
    const { faults } = read({ [name]: '1' });
    assert.deepEqual(
      faults.map((fault) => [fault.parameter, fault.code]),
      [[name, 'unknown_parameter']],
    );
    assert.match(faults[0]?.detail ?? '', right);
  });
}

test('all faults are found at once', () => {
  const { faults } = read({ after: 'x', limit: '0', wait: ['1', '2'], status: 'pending' });
  assert.deepEqual(
    faults.map(({ code }) => code),
    ['invalid_sequence', 'invalid_limit', 'duplicate_parameter', 'unknown_parameter'],
  );
});
