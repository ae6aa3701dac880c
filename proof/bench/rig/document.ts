import type { Finding } from './report.ts';

/** A row of docs/performance.md: the measure, and the findings of its two cells. */
type Row = readonly [measure: string, sqlite: readonly string[], postgres: readonly string[]];

const ROWS: readonly Row[] = [
  [
    'CPU of a request, to a minimal server; in µs; on PostgreSQL with that of the database',
    [
      'list request, CPU of the service, relative to minimal node:http + node:sqlite',
      'list request, CPU of the service in microseconds',
    ],
    [],
  ],
  same('p99 to p50 with 48 connections', ['list request, p99 to p50']),
  [
    'memory at full load, MB; from start to listening, ms',
    ['peak memory of the service at full load, MB', 'from the start of the process to listening, ms'],
    [],
  ],
  [
    'import with merchantReferences: rows a second; memory, MB',
    ['import of 2,000,000 rows, rows a second', 'import, peak memory, MB'],
    ['import of 2,000,000 rows, rows a second', 'import, peak memory, MB'],
  ],
  same('64 single recordings at once, to minimal INSERTs', ['PUTs a second, relative to minimal INSERTs']),
  same('rate of a stream, to that of an import', ['stream, rows a second relative to an import']),
  same('lists of 8 readers during a stream at full speed, to without: p50; p99', [
    'lists during a stream, 8 readers, p50 to without',
    'lists during a stream, 8 readers, p99 to without',
  ]),
  same('300 lists a second during such a stream, to without: p50; p99', [
    'lists during a stream, 300 a second, p50 to without',
    'lists during a stream, 300 a second, p99 to without',
  ]),
  [
    'a page of 100 changes in the middle, to the last one',
    ['page of 100 changes, CPU, in the middle, relative to the last one'],
    ['page of 100 changes, CPU with the database, in the middle, relative to the last one'],
  ],
  same('CPU of totals of 90 days; of everything, to that of a list', [
    'totals of 90 days, CPU to that of a list',
    'totals of everything, CPU to that of a list',
  ]),
];

function same(measure: string, names: readonly string[]): Row {
  return [measure, names, names];
}

/**
 * Writes the figures of the findings into the rows of the document. Returns the document and its changed rows.
 * A cell without a finding keeps its figures, and a row with new figures loses the * of an old measurement.
 *
 * Throws: an error if the document has no row of a measure.
 */
export function withFigures(document: string, findings: readonly Finding[]) {
  const figures = new Map(findings.map(({ name, figure }) => [name, figure]));
  const lines = document.split('\n');
  const changed: string[] = [];
  for (const [measure, sqlite, postgres] of ROWS) {
    const at = lines.findIndex((line) =>
      [`| ${measure} |`, `| ${measure}* |`].some((it) => line.startsWith(it)),
    );
    if (at === -1) throw new Error(`docs/performance.md has no row of "${measure}"`);
    const [, , goal = '', ofSqlite = '', ofPostgres = ''] = (lines[at] as string)
      .split('|')
      .map((cell) => cell.trim());
    const cellOf = (store: string, names: readonly string[], before: string) => {
      const found = names.map((name) => figures.get(`${store}: ${name}`) ?? figures.get(name));
      return found.length > 0 && !found.includes(undefined) ? found.join('; ') : before;
    };
    const now = [cellOf('SQLite', sqlite, ofSqlite), cellOf('PostgreSQL', postgres, ofPostgres)];
    if (now[0] === ofSqlite && now[1] === ofPostgres) continue;
    const row = [measure, goal, ...now].map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|');
    lines[at] = `|${row}|`;
    changed.push(lines[at]);
  }
  return { document: lines.join('\n'), changed };
}
