import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts as deLater } from '../../web/text/de/later.ts';
import { texts as de } from '../../web/text/de.ts';
import { endpoints } from '../../web/text/en/endpoints.ts';
import { reconcile } from '../../web/text/en/reconcile.ts';
import { review } from '../../web/text/en/review.ts';
import { sheet } from '../../web/text/en/sheet.ts';
import { en } from '../../web/text/en.ts';
import { texts as frLater } from '../../web/text/fr/later.ts';
import { texts as fr } from '../../web/text/fr.ts';

const ENGLISH: Readonly<Record<string, unknown>> = { ...en, ...endpoints, ...reconcile, ...review, ...sheet };
const OTHERS = { de: { ...de, ...deLater }, fr: { ...fr, ...frLater } } as const;

const marked = (index: number) => {
  const text = `<${index}>`;
  return Object.assign((label: string) => `${text}${label}`, {
    toString: () => text,
    toLowerCase: () => text,
    join: (between: string) => `${text}${between}${text}`,
  });
};

function sentencesOf(text: unknown): string[] {
  if (typeof text === 'string') return [text];
  if (Array.isArray(text)) return [text.filter(Boolean).map(String).join('')];
  if (typeof text !== 'function') return Object.values(text as object).flatMap(sentencesOf);
  const without = () => {
    try {
      return sentencesOf(text(...Array.from({ length: text.length }, () => null)));
    } catch {
      return [];
    }
  };
  return [
    ...sentencesOf(text(...Array.from({ length: text.length }, (_, index) => marked(index)))),
    ...without(),
  ];
}

type Pair = readonly [name: string, english: string, other: string];

function pairsOf(name: string, english: unknown, other: unknown): Pair[] {
  if (typeof english === 'object' && !Array.isArray(english))
    return Object.entries(english as object).flatMap(([key, text]) =>
      pairsOf(`${name}.${key}`, text, (other as Readonly<Record<string, unknown>>)[key]),
    );
  const others = sentencesOf(other);
  return sentencesOf(english).map((sentence, index) => [name, sentence, others[index] ?? '']);
}

const valuesOf = (sentence: string) => [...new Set(sentence.match(/<\d>/g))].sort();
for (const [language, texts] of Object.entries(OTHERS) as [keyof typeof OTHERS, typeof OTHERS.de][]) {
  const pairs = Object.entries(ENGLISH)
    .filter(([, text]) => !(text instanceof Map))
    .flatMap(([name, text]) => pairsOf(name, text, (texts as typeof ENGLISH)[name]));

  test(`${language} has all texts, with all values of the English sentences`, () => {
    for (const [name, english, other] of pairs) {
      assert.ok(other.trim() !== '' || english.trim() === '', name);
      assert.deepEqual(valuesOf(other), valuesOf(english), `${name}: ${other}`);
    }
  });
}
