import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../test/rig/run/properties.ts';
import { hasCardNumber } from './card-number.ts';
import { withLatinDigits } from './written-amount.ts';

const digits = (min: number, max = min) => fc.stringMatching(new RegExp(`^\\d{${min},${max}}$`));

/** Source: ISO/IEC 7812-1, annex B. */
function withCheckDigit(digits: string): string {
  const doubled = (digit: number) => (digit > 4 ? digit * 2 - 9 : digit * 2);
  const sum = [...digits].reverse().reduce((sum, digit, at) => sum + (at % 2 ? +digit : doubled(+digit)), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const NETWORKS = {
  Visa: ['4', 16],
  Mastercard: ['55', 16],
  'Mastercard from 2017': ['2720', 16],
  'American Express': ['37', 15],
  'Diners Club': ['305', 14],
  JCB: ['3528', 16],
  Discover: ['6011', 16],
  UnionPay: ['62', 16],
} as const;

const DAY = /\d{1,2}([./])\d{1,2}\1(?:19|20)\d\d|\d{4}-\d\d-\d\d/;

test('the number of a network is found in every script, with up to two separators between its digits, whatever is beside it', () => {
  const separators = fc.stringMatching(/^[ .,:/_–\u00a0\u200b-]{0,2}$/u);
  const beside = fc.constantFrom(
    '',
    'card ',
    '12/27 ',
    '7',
    ' 2027',
    '+',
    ', tel. +49 151 23456789 or ',
    'é',
  );
  const zeros = fc.constantFrom('0', '\u0660', '\u0966', '\uff10', '\u{1d7ec}');
  for (const [name, [begin, length]] of Object.entries(NETWORKS))
    fc.assert(
      fc.property(
        digits(length - begin.length - 1).map((rest) => withCheckDigit(begin + rest)),
        fc.array(separators, { minLength: length - 1, maxLength: length - 1 }),
        fc.tuple(beside, beside),
        zeros,
        (number, between, [before, after], zero) => {
          const digitOf = (digit: string) =>
            String.fromCodePoint(Number(zero.codePointAt(0)) + Number(digit));
          const written = [...number].map((digit, at) => digitOf(digit) + (between[at] ?? '')).join('');
          // Without the space after "+", the number could be a phone number.
          const text = before === '+' ? `+ ${written}${after}` : before + written + after;
          fc.pre(!DAY.test(withLatinDigits(text.normalize('NFKC'))));
          assert.ok(hasCardNumber(text), `${name}: ${text}`);
        },
      ),
    );
  for (const text of ['4222222222222 12/27', '6304 0000 0000 0000 000, 2027', '4000000000000000006 x'])
    assert.ok(hasCardNumber(text), text);
});

test('13 to 19 digits that stand alone and pass the check are a card number, whatever spaces and hyphens are between them', () => {
  fc.assert(
    fc.property(
      digits(12, 18).map(withCheckDigit),
      fc.array(fc.stringMatching(/^[ -]{0,3}$/), { minLength: 19, maxLength: 19 }),
      (number, between) => {
        const text = [...number]
          .map((digit, at) => digit + (at % 4 === 3 ? between[at] : ''))
          .join('')
          .trim();
        const hasTimeInMs = /(?<!\d)1\d{12}(?!\d)/.test(text);
        assert.equal(hasCardNumber(text), !hasTimeInMs, text);
      },
    ),
  );
  for (const text of [
    '4111111111111112',
    '411111111111',
    '4242',
    '411111111111 x 1111',
    '4242 4242 4242 4241',
  ])
    assert.equal(hasCardNumber(text), false, text);
});

const IBANS = {
  BE: '\\d{12}',
  DE: '\\d{18}',
  FR: '\\d{21}A\\d',
  GB: '[A-Z]{4}\\d{14}',
  PL: '\\d{24}',
  NO: '\\d{11}',
};

/** Source: ISO 7064, MOD 97-10. */
function ibanOf(country: string, account: string): string {
  const number = [...`${account}${country}00`].map((one) => Number.parseInt(one, 36)).join('');
  return `${country}${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${account}`;
}

test('an IBAN, a phone number, a time and a UUID are no card number', () => {
  const time = fc.integer({ min: Date.UTC(2002, 0, 1), max: Date.UTC(2033, 0, 1) }).map((timeMs) => ({
    timeMs,
    iso: new Date(timeMs).toISOString(),
  }));
  const ibans = Object.entries(IBANS).map(([country, form]) =>
    fc.stringMatching(new RegExp(`^${form}$`)).map((account) => ibanOf(country, account)),
  );
  const others: Record<string, fc.Arbitrary<string>> = {
    IBAN: fc.oneof(...ibans),
    'IBAN in groups': fc.oneof(...ibans).map((iban) => `IBAN ${iban.replaceAll(/(.{4})(?=.)/g, '$1 ')} paid`),
    'two IBANs': fc.tuple(...ibans).map((all) => all.slice(0, 2).join(' ').toLowerCase()),
    'phone number': fc.stringMatching(/^\+[1-9]\d{6,14}$/),
    'phone number in groups': fc.stringMatching(/^\+49 \(0\)\d{3} \d{4}[-/]\d{3,4}$/),
    milliseconds: time.map(({ timeMs }) => `at ${timeMs}`),
    time: time.map(({ iso }) => iso),
    'time with a space': time.map(({ iso }) => iso.replace('T', ' ').replace('Z', '123')),
    'time of Germany': time.map(({ iso }) => {
      const [year, month, day] = iso.slice(0, 10).split('-');
      return `${day}.${month}.${year}, ${iso.slice(11, 23)}`;
    }),
    period: fc.tuple(time, time).map((both) => both.map(({ iso }) => iso.slice(0, 10)).join(' - ')),
    UUID: fc.uuid(),
  };
  for (const [kind, other] of Object.entries(others))
    fc.assert(fc.property(other, (text) => assert.equal(hasCardNumber(text), false, `${kind}: ${text}`)));
});

test('a card number is found in a text like an IBAN that fails its check, and after an IBAN', () => {
  for (const text of ['MC5555555555554444', 'DE89370400440532013000 4111111111111111'])
    assert.ok(hasCardNumber(text), text);
});
