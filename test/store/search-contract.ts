import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ListFilter, NO_FILTER, type Position } from '../../src/ledger/list/list.ts';
import type { SearchTerms } from '../../src/ledger/search/search.ts';
import type { AccountTransaction, Transaction } from '../../src/ledger/transaction.ts';
import type { Store } from '../../src/store/store.ts';
import { expectedList } from '../rig/data/expected-list.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { someInTier } from '../rig/run/tier.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';

const NO_TERMS: SearchTerms = {
  amountFromMinor: null,
  amountToMinor: null,
  paidFromMs: null,
  paidBeforeMs: null,
  text: null,
};

const REFERENCES = ['order-10482', 'AMZ 302', 'größe', 'GRÖSSE', '50% [x]*?', '^a$.b|c', null, 'a\\b'].concat(
  ['Müller Łódź', 'MULLER lodz', '株式会社 İş', 'Ärgernis-Étage', 'Γιώργος', 'ΓΙΩΡΓΟΣΑΣ'],
  ['O’Brien', "O'BRIEN", 'Mueller–Weiß', 'Cæsar Øre', 'Åse Caesar', 'Flussschiff', 'Flußschiff'],
);

const ROWS: readonly AccountTransaction[] = Array.from({ length: 160 }, (_, index) => {
  const status = ['pending', 'completed', 'failed'][index % 3] as string;
  const createdAtMs = DAY('2026-03-01') + Math.floor(index / 6) * 7_000_000;
  return transaction(index % 5 === 0 ? 'store-2' : 'store-1', `T${(index * 7919) % 1000}`, {
    createdAtMs,
    status,
    paidAtMs: status === 'completed' ? createdAtMs + (index % 7) * 86_400_000 : null,
    currencyCode: ['EUR', 'USD'][index % 2] as string,
    amountMinor: ((index * 13) % 9) * 1000 - 4000,
    merchantReference: REFERENCES[index % REFERENCES.length] ?? null,
  });
});

const fieldsOf = ({ account: _, ...fields }: AccountTransaction): Transaction => fields;

const PAIRS = { ae: 'äæÄÆ', oe: 'öøœÖØŒ', ue: 'üÜ', aa: 'åÅ', ss: 'ßẞ' };

function variantsOf(text: string): string[] {
  let variants = [''];
  for (const letter of text.normalize('NFC').replaceAll(/[‘’ʼ]/g, "'").replaceAll(/[‐-―]/g, '-')) {
    const pair = Object.entries(PAIRS).find(([, letters]) => letters.includes(letter))?.[0];
    variants = variants.flatMap((one) => [one + letter, ...(pair === undefined ? [] : [one + pair])]);
  }
  return variants;
}

const contains = (text: string | null, part: string) =>
  variantsOf(text ?? '').some((one) => variantsOf(part).some((other) => containsLetters(one, other)));

function containsLetters(text: string, part: string): boolean {
  const letters = new Intl.Collator('en', { sensitivity: 'base', usage: 'search' });
  const same = (one: string, other: string) =>
    /\p{L}/u.test(one) && /\p{L}/u.test(other) ? letters.compare(one, other) === 0 : one === other;
  const [characters, parts] = [Array.from(text), Array.from(part)];
  return characters.some((_, at) => parts.every((one, index) => same(one, characters[at + index] ?? '')));
}

function isFound(row: AccountTransaction, terms: SearchTerms): boolean {
  const { amountFromMinor, amountToMinor, paidFromMs, paidBeforeMs, text } = terms;
  return (
    (amountFromMinor === null || row.amountMinor >= amountFromMinor) &&
    (amountToMinor === null || row.amountMinor <= amountToMinor) &&
    (paidFromMs === null || (row.paidAtMs !== null && row.paidAtMs >= paidFromMs)) &&
    (paidBeforeMs === null || (row.paidAtMs !== null && row.paidAtMs < paidBeforeMs)) &&
    (text === null || contains(row.reference, text) || contains(row.merchantReference, text))
  );
}

const FILTERS: readonly ListFilter[] = [
  NO_FILTER,
  { ...NO_FILTER, status: 'completed' },
  { ...NO_FILTER, currency: 'USD' },
  { ...NO_FILTER, from: '2026-03-01', to: '2026-03-02' },
  { ...NO_FILTER, from: '2026-03-02' },
  { ...NO_FILTER, merchantReference: 'AMZ 302' },
  { ...NO_FILTER, merchantReference: 'größe', from: '2026-03-02', status: 'completed', currency: 'EUR' },
];

const TERMS: readonly SearchTerms[] = [
  { ...NO_TERMS, amountFromMinor: -1000, amountToMinor: -1000 },
  { ...NO_TERMS, amountFromMinor: 1 },
  { ...NO_TERMS, amountToMinor: 0 },
  { ...NO_TERMS, amountFromMinor: 2, amountToMinor: 1 },
  { ...NO_TERMS, paidFromMs: DAY('2026-03-03') },
  { ...NO_TERMS, paidBeforeMs: DAY('2026-03-03') },
  ...['ORDER', '10482', 'z 3', 'GRÖß', 'größ', '% [x', ']*?', '^a$', '.b|', 'a\\b', 'T1', 'nothing']
    .concat(["o'brien", 'OʼBrien', 'mueller', 'MUELLER-weiss', 'mueller-w', 'caesar oere', 'ore', 'aase'])
    .concat(['flußschiff', 'FLUSSSCHIFF', 'ssschiff'])
    .concat(['muller', 'MÜLLER', 'r lodz', 'ŁÓDŹ', '株式', ' is', 'argernis-e', 'γιωργοσ', 'ργος', 'ΡΓΟΣ'])
    .map((text) => ({ ...NO_TERMS, text })),
  {
    amountFromMinor: 0,
    amountToMinor: 9000,
    paidFromMs: DAY('2026-03-01'),
    paidBeforeMs: DAY('2026-03-09'),
    text: 'AMZ',
  },
];

export function searchContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`searches on ${name}`, () => {
    const { store } = eachHarness(makeHarness);

    const searchAll = async (filter: ListFilter, terms: SearchTerms, compared: number) => {
      const found: Transaction[] = [];
      let after: Position | null = null;
      let steps = 0;
      do {
        const step: Awaited<ReturnType<Store['searchTransactions']>> = await store.searchTransactions(
          { account: 'store-1', filter, terms, after },
          compared,
        );
        found.push(...step.transactions);
        after = step.end;
        steps++;
      } while (after !== null);
      return { found, steps };
    };

    test('find exactly what matches, with every filter and term, in steps of any length', async () => {
      await record(store, ROWS);
      for (const filter of [NO_FILTER, ...someInTier(FILTERS.slice(1), 2)]) {
        for (const terms of TERMS) {
          const expected = expectedList(ROWS, 'store-1', filter).filter((row) => isFound(row, terms));
          for (const compared of filter === NO_FILTER ? [3, 1000] : [1000]) {
            const { found } = await searchAll(filter, terms, compared);
            assert.deepEqual(found, expected.map(fieldsOf), JSON.stringify({ filter, terms, compared }));
          }
        }
      }
      assert.equal(TERMS.filter((terms) => ROWS.some((row) => isFound(row, terms))).length, TERMS.length - 2);
    });

    test('a text with combining accents is found as it is stored and as people type it', async () => {
      const texts = ['Mu\u0308ller', 'Mu\u0308ller Étage', '\u212bngstro\u0308m', '한글'.normalize('NFD')];
      await record(
        store,
        texts.flatMap((text, index) => [
          transaction('store-1', `r${index}`, { merchantReference: `to ${text}.` }),
          transaction('store-1', `d${index}`, { details: JSON.stringify({ customer: `to ${text}.` }) }),
        ]),
      );
      for (const [text, found] of [
        ['Mu\u0308ller', ['d0', 'd1', 'r0', 'r1']],
        ['Müller', ['d0', 'd1', 'r0', 'r1']],
        ['MÜLLER', ['d0', 'd1', 'r0', 'r1']],
        ['muller', ['d0', 'd1', 'r0', 'r1']],
        ['mueller', ['d0', 'd1', 'r0', 'r1']],
        ['angstrom', ['d2', 'r2']],
        ...texts.slice(1).map((stored, index) => [stored, [`d${index + 1}`, `r${index + 1}`]] as const),
        ['한글', ['d3', 'r3']],
      ] as const) {
        const result = await searchAll(NO_FILTER, { ...NO_TERMS, text }, 1000);
        assert.deepEqual(
          result.found.map(({ reference }) => reference.slice('store-1.'.length)).sort(),
          found,
          text,
        );
      }
    });

    test('a step compares as many transactions as its caller says, even if none matches', async () => {
      await record(store, ROWS);
      const rows = ROWS.filter(({ account }) => account === 'store-1').length;
      const { found, steps } = await searchAll(NO_FILTER, { ...NO_TERMS, text: 'nothing' }, 10);
      assert.deepEqual(found, []);
      assert.equal(steps, Math.floor(rows / 10) + 1);
    });
  });
}
