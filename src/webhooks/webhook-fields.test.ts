import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FieldFault } from '../../values/field-fault.ts';
import { BUILT_IN_STATUSES } from '../../values/status.ts';
import { parseNewWebhook, parseReplay, parseWebhookChanges } from './webhook-fields.ts';

const URL_FAULT = 'is refused by the test';
const rules = {
  statuses: BUILT_IN_STATUSES,
  explainUrl: (text: string) => (text.startsWith('https://') ? undefined : URL_FAULT),
};
const url = 'https://shop.example/webhooks';

type Parsed = { fields: unknown } | { faults: { listed: FieldFault[]; count: number } };

function fieldsOf(parsed: Parsed): unknown {
  assert.ok('fields' in parsed, JSON.stringify(parsed));
  return parsed.fields;
}

/** The faults as `field: detail`, or `field/index: detail`. */
function faultsOf(parsed: Parsed): string[] {
  assert.ok('faults' in parsed, JSON.stringify(parsed));
  return parsed.faults.listed.map(
    ({ field, index, detail }) => `${field}${index === undefined ? '' : `/${index}`}: ${detail}`,
  );
}

describe('a new endpoint', () => {
  test('needs only a URL', () => {
    const defaults = { url, types: null, label: null, ordered: false, signing: 'v1' };
    assert.deepEqual(fieldsOf(parseNewWebhook({ url }, rules)), defaults);
    assert.deepEqual(fieldsOf(parseNewWebhook({ url, types: null, label: null }, rules)), defaults);
  });

  test('has the fields that are written', () => {
    const written = {
      url,
      types: ['transaction.completed', 'transaction.pending'],
      label: 'shop',
      ordered: true,
      signing: 'v1a',
    };
    assert.deepEqual(fieldsOf(parseNewWebhook(written, rules)), written);
  });

  test('has all its faults reported at once', () => {
    const written = {
      urll: url,
      url: 'ftp://shop.example',
      types: ['transaction.complete', 7, 'transaction.pending', 'transaction.pending'],
      label: 'x\n',
      ordered: 'yes',
    };
    assert.deepEqual(faultsOf(parseNewWebhook(written, rules)), [
      'urll: is not a field of a new endpoint: did you mean url? The fields are url, types, label, ordered, signing',
      `url: ${URL_FAULT}`,
      'types/0: "transaction.complete" is not a type of this service: did you mean transaction.completed? The types are transaction.pending, transaction.completed',
      'types/1: is a number; write it as a string',
      'types/3: is in the list twice',
      'label: must be 1 to 100 characters without control characters',
      'ordered: is a string; write true or false',
    ]);
  });

  for (const [name, written, faults] of [
    ['no URL', {}, ['url: is missing']],
    ['null as the URL', { url: null }, ['url: is missing']],
    ['a URL that is no string', { url: [url] }, ['url: is a list; write it as a string']],
    [
      'half a surrogate pair',
      { url: `${url}/\ud800`, label: '\udc00' },
      [
        'url: contains half of a surrogate pair; remove it',
        'label: contains half of a surrogate pair; remove it',
      ],
    ],
    [
      'types that are no list',
      { url, types: 'transaction.completed' },
      ['types: is a string; write a list of types, or null for all'],
    ],
    ['an empty list of types', { url, types: [] }, ['types: is empty; write null for all types']],
    [
      'an unrelated type',
      { url, types: ['x'] },
      [
        'types/0: "x" is not a type of this service; the types are transaction.pending, transaction.completed',
      ],
    ],
    [
      'another signing',
      { url, signing: 'v2' },
      ['signing: is "v2", which is not a way of signing: did you mean v1? The ways are v1, v1a'],
    ],
    ['null for ordered', { url, ordered: null }, ['ordered: is null; write true or false']],
    [
      'a label of 101 characters',
      { url, label: 'x'.repeat(101) },
      ['label: must be 1 to 100 characters without control characters'],
    ],
    [
      'a field of a change only',
      { url, state: 'enabled' },
      ['state: is not a field of a new endpoint; the fields are url, types, label, ordered, signing'],
    ],
  ] as const) {
    test(`with ${name} is refused`, () => {
      assert.deepEqual(faultsOf(parseNewWebhook(written, rules)), faults);
    });
  }

  test('with thousands of faults has 20 listed and all counted', () => {
    const parsed = parseNewWebhook({ url, types: Array.from({ length: 5000 }, () => 'x') }, rules);
    assert.ok('faults' in parsed);
    assert.deepEqual([parsed.faults.listed.length, parsed.faults.count], [20, 5000]);
  });
});

describe('a change of an endpoint', () => {
  test('has only the fields that are written', () => {
    assert.deepEqual(fieldsOf(parseWebhookChanges({}, rules)), {});
    for (const written of [
      { url },
      { types: null },
      { label: null },
      { ordered: false },
      { state: 'disabled' },
      { types: ['transaction.pending'], state: 'enabled' },
    ])
      assert.deepEqual(fieldsOf(parseWebhookChanges(written, rules)), written);
  });

  test('has all its faults reported at once', () => {
    const written = { url: null, types: {}, label: 1, ordered: null, state: 1, enabled: true };
    assert.deepEqual(faultsOf(parseWebhookChanges(written, rules)), [
      'enabled: is not a field of an endpoint: did you mean state? The fields are url, types, label, ordered, state',
      'url: is null; write a URL, or omit it to keep the present one',
      'types: is an object; write a list of types, or null for all',
      'label: is a number; write it as a string',
      'ordered: is null; write true or false',
      'state: is a number; write it as a string',
    ]);
    assert.deepEqual(faultsOf(parseWebhookChanges({ state: 'disable' }, rules)), [
      'state: is "disable", which is not a state of an endpoint: did you mean disabled? The states are enabled, disabled',
    ]);
  });
});

describe('a replay', () => {
  test('has a sequence number', () => {
    for (const after of [0, 1, Number.MAX_SAFE_INTEGER])
      assert.deepEqual(fieldsOf(parseReplay({ after })), { after });
  });

  for (const [name, written, fault] of [
    ['nothing', {}, 'after: is missing'],
    ['null', { after: null }, 'after: is null; write a sequence number, or 0 for all changes'],
    ['a string', { after: '7' }, 'after: is a string; write a sequence number, or 0 for all changes'],
    ['a fraction', { after: 1.5 }, 'after: is not a sequence number; write a whole number of at least 0'],
    [
      'a negative number',
      { after: -1 },
      'after: is not a sequence number; write a whole number of at least 0',
    ],
    [
      'more than a sequence number',
      { after: 2 ** 53 },
      'after: is not a sequence number; write a whole number of at least 0',
    ],
    ['another field', { after: 1, from: 1 }, 'from: is not a field of a replay; the only field is after'],
    [
      'a misspelt field',
      { after: 1, afterr: 1 },
      'afterr: is not a field of a replay: did you mean after? The only field is after',
    ],
  ] as const) {
    test(`with ${name} is refused`, () => assert.deepEqual(faultsOf(parseReplay(written)), [fault]));
  }
});
