import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Documents that people write. Examples in blocks of code are no figures of the service. */
const DOCUMENTS = globSync('{*.md,{docs,decisions,test,models,judge,conformance,client}/**/*.md}', {
  cwd: ROOT,
})
  .filter((path) => !path.includes('node_modules'))
  .map((path) => ({ path, text: read(path).replaceAll(/```[\s\S]*?```/g, '') }));

/** A number of the source is a limit, which several documents can name. */
const SOURCE = globSync('{src,client/src,conformance/src}/**/*.{ts,js}', { cwd: ROOT }).map(read).join('\n');
const isLimit = (figure: string) => new RegExp(`\\b${figure.replaceAll(',', '_?')}\\b`).test(SOURCE);

test('a measured figure stands in one document, and the others link to it', () => {
  const places = new Map<string, Set<string>>();
  // Figures of three digits that count, such as 37,774: a round one can be two things.
  for (const { path, text } of DOCUMENTS)
    for (const [figure] of text.matchAll(/(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])/g))
      if (/[1-9]\d+[1-9]/.test(figure.replaceAll(',', '')) && !isLimit(figure))
        places.set(figure, (places.get(figure) ?? new Set()).add(path));
  assert.ok(places.size > 30);
  const twice = [...places].filter(([, of]) => of.size > 1).map(([figure, of]) => `${figure}: ${[...of]}`);
  assert.deepEqual(twice, []);
});

/** Numbers of a source that documents for different readers repeat, because they do not read the same ones. */
const LIMITS: readonly [
  file: string,
  declaration: RegExp,
  documents: Readonly<Record<string, (value: string) => string>>,
][] = [
  [
    'src/http/server/connection-limits.ts',
    /const MAX_CONNECTIONS = ([\d_]+);/,
    {
      'docs/sizing.md': (value) => `connections to a listener | ${value},`,
      'docs/reliability.md': (value) => `Each listener has at most ${value} connections`,
      'SECURITY.md': (value) => `all ${value} connections of a listener`,
    },
  ],
  [
    'src/ledger/changes/change-watcher.ts',
    /const MAX_WAITING = ([\d_]+);/,
    {
      'docs/sizing.md': (value) => `callers that wait for changes | ${value},`,
      'docs/change-feed.md': (value) => `and ${value} of all accounts, can wait`,
    },
  ],
  [
    'src/ledger/changes/change-watcher.ts',
    /const MAX_WAITING_OF_ACCOUNT = ([\d_]+);/,
    {
      'docs/sizing.md': (value) => `and ${value} of an account | 503; 429 \`too_many_waiting\``,
      'docs/change-feed.md': (value) => `Up to ${value} requests of an account`,
    },
  ],
  [
    'src/ledger/totals/totals-of-zone.ts',
    /const MAX_ZONE_TRANSACTIONS = ([\d_]+);/,
    {
      'docs/using-the-api.md': (value) => `or ${value} transactions, are divided`,
      'docs/looking-at-transactions.md': (value) => `count at most ${value} transactions`,
      'decisions/list.md': (value) => `at most ${value} transactions on`,
    },
  ],
  [
    'src/ledger/totals/totals-of-zone.ts',
    /const MAX_ZONE_DAYS = ([\d_]+);/,
    {
      'docs/using-the-api.md': (value) => `if more than ${value} UTC days`,
      'docs/looking-at-transactions.md': (value) => `transactions on ${value} days`,
      'decisions/list.md': (value) => `transactions on ${value} days`,
    },
  ],
  [
    'src/ledger/search/search-transactions.ts',
    /const MAX_COMPARED_BY_SEARCH = ([\d_]+);/,
    {
      'docs/using-the-api.md': (value) => `A request compares at most ${value} transactions`,
      'decisions/list.md': (value) => `at most ${value} in a request`,
    },
  ],
  [
    'src/ledger/totals/totals-by-payment.ts',
    /const MAX_COMPARED_BY_PAYMENT = ([\d_]+);/,
    {
      'docs/using-the-api.md': (value) => `At most ${value} transactions are compared`,
    },
  ],
  [
    'src/ledger/totals/totals-of-reference.ts',
    /const MAX_REFERENCE_TRANSACTIONS = ([\d_]+);/,
    {
      'docs/using-the-api.md': (value) => `with all its attempts, at most ${value}`,
      'decisions/totals-exports-webhooks.md': (value) => `are summed, at most ${value}`,
    },
  ],
  [
    'src/ledger/record/acknowledged-recordings.ts',
    /const MAX_ACKNOWLEDGED = ([\d_]+);/,
    {
      'docs/troubleshooting.md': (value) => `each of the last ${value} that is gone`,
      'decisions/recording.md': (value) => `remembers its last ${value}`,
    },
  ],
  [
    'src/db/postgres/driver/keyed-connections.ts',
    /const MAX_WAITING = ([\d_]+);/,
    { 'decisions/postgresql.md': (value) => `More than ${value} waiting statements` },
  ],
];

test('a limit is the same in the source and in the documents of each reader', () => {
  for (const [file, declaration, documents] of LIMITS) {
    const [, written = ''] = declaration.exec(read(file)) ?? [];
    assert.notEqual(written, '', `${file} has no ${declaration}`);
    const value = Number(written.replaceAll('_', '')).toLocaleString('en-US');
    for (const [path, sentence] of Object.entries(documents)) {
      const text = read(path).replaceAll(/\s+/g, ' ');
      assert.ok(text.includes(sentence(value)), `${path} does not say: ${sentence(value)}`);
    }
  }
});

/** A duration as the documents write it: "5 s", "30 min", "2", "24 hours". */
const hours = (ms: number) => ms / 3_600_000;

test('SPEC.md and docs/webhooks.md have the times at which a delivery is tried again', () => {
  const source = read('src/webhooks/delivery/attempt-schedule.ts');
  const [, list = ''] = /DELAYS_MS = \[([^\]]+)\]/.exec(source) ?? [];
  const units: Readonly<Record<string, number>> = { SECOND: 1000, MINUTE: 60_000, HOUR: 3_600_000 };
  const delays = [...list.matchAll(/(\d+) \* ([A-Z]+)_MS/g)].map(
    ([, count, unit = '']) => Number(count) * (units[unit] ?? 0),
  );
  const [first = 0, second = 0, third = 0, ...rest] = delays;
  const last = rest.pop() ?? 0;
  const inHours = `${rest.map(hours).join(', ')} and ${hours(last)} hours`;
  const [seconds, minutes, more] = [first / 1000, second / 60_000, third / 60_000];
  const text = (path: string) => read(path).replaceAll(/\s+/g, ' ');
  assert.ok(text('SPEC.md').includes(`${seconds} s, ${minutes} min, ${more} min, ${inHours}`));
  assert.ok(
    text('docs/webhooks.md').includes(
      `after ${seconds} seconds, then after ${minutes} minutes, ${more} minutes, and ${inHours}`,
    ),
  );
});

test('README.md has the lists a second that docs/sizing.md has', () => {
  const figures = /A core answers about ([\d,]+) lists a second on SQLite, ([\d,]+ to [\d,]+) on PostgreSQL/;
  const [, sqlite = '', postgres = ''] = figures.exec(read('README.md').replaceAll(/\s+/g, ' ')) ?? [];
  const [row = ''] = /^\| lists, .*$/m.exec(read('docs/sizing.md')) ?? [];
  assert.ok(sqlite !== '' && row.includes(`about ${sqlite} a second`), row);
  assert.ok(postgres !== '' && row.includes(`about ${postgres} a second`), row);
});
