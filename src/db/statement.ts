import { readFileSync } from 'node:fs';

type Dialect = (typeof DIALECTS)[number];
const DIALECTS = ['sqlite', 'server', 'cluster'] as const;
const HEADINGS: Readonly<Record<string, readonly Dialect[]>> = {
  all: DIALECTS,
  sqlite: ['sqlite'],
  postgres: ['server', 'cluster'],
  server: ['server'],
  cluster: ['cluster'],
};
export type Value = string | number | null;
export type Values = Readonly<Record<string, Value>>;

/** Each call reads the next column, from the first to the last. Throws: Error if the row lacks a value. */
export interface Row {
  text(): string;
  textOrNull(): string | null;
  /** Like text(), for texts that occur often, such as currencies. Can reuse the string of an equal text. */
  word(): string;
  /** A database bigint, which must be a safe integer in JavaScript. */
  integer(): number;
  integerOrNull(): number | null;
}

export interface Statement<Read = unknown> {
  readonly name: string;
  /** Where a cluster runs the statement. `account`: on the server that stores the rows of `:account`. */
  readonly on: 'account' | 'coordinator';
  /** If there is no text for the kind of database, the statement is skipped and returns no rows. */
  readonly texts: Readonly<Partial<Record<Dialect, string>>>;
  readonly readRow: (row: Row) => Read;
}

export interface Step<Read = unknown> {
  readonly statement: Statement<Read>;
  readonly values: Values;
}

export type RowsOf<Steps extends readonly Step[]> = {
  -readonly [Index in keyof Steps]: Steps[Index] extends Step<infer Read> ? Read[] : never;
};

const nothing = () => undefined;
const HEADING = /^-- name: (?<name>\w+)(?: \((?<dialect>sqlite|postgres|server|cluster)\))?$/;
const PLACE = /^-- on: (account|coordinator)$/;

/**
 * A file says where the next statements run (`-- on: coordinator`). The heading of a statement is
 * `-- name: findKey` or, for one kind of database, `-- name: lockKey (postgres)`. Parameters are named
 * (`:hash`). `:databaseNowMs` is the time by the database's clock, and needs no value.
 */
export function statementsOf(file: URL) {
  const base = file.pathname.replace(/^.*\/|\.sql$/g, '');
  const found = readStatements(file);
  return <Read = undefined>(
    name: string,
    readRow: (row: Row) => Read = nothing as () => Read,
  ): Statement<Read> => {
    const statement = found.get(name);
    if (statement === undefined) throw new Error(`${file.pathname} has no statement ${name}`);
    return { name: `${base}.${name}`, ...statement, readRow };
  };
}

interface Written {
  on: Statement['on'];
  texts: Partial<Record<Dialect, string>>;
}

export function readStatements(file: URL): Map<string, Written> {
  const found = new Map<string, Written>();
  let on: Statement['on'] | undefined;
  let lines: string[] = [];
  const end = (name: string, dialects: readonly Dialect[]) => {
    const text = lines.join('\n').trim().replace(/;$/, '');
    if (on === undefined) throw new Error(`${file.pathname} does not say where ${name} runs`);
    const texts: Written['texts'] = found.get(name)?.texts ?? {};
    for (const dialect of dialects) {
      if (text === '' || text.includes(';') || texts[dialect] !== undefined)
        throw new Error(`${name} has no text, or two`);
      texts[dialect] = text;
    }
    found.set(name, { on, texts });
  };
  let ended = () => {};
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const heading = HEADING.exec(line)?.groups;
    const [, place] = PLACE.exec(line) ?? [];
    if (heading !== undefined || place !== undefined) {
      ended();
      ended = () => {};
      lines = [];
    }
    if (place !== undefined) on = place as Statement['on'];
    else if (heading !== undefined) {
      const { name = '', dialect } = heading;
      ended = () => end(name, HEADINGS[dialect ?? 'all'] ?? []);
    } else if (!/^\s*--/.test(line)) lines.push(line);
  }
  ended();
  return found;
}
