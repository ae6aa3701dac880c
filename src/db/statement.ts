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
const PLACE = /^-- on: (?<on>account|coordinator)$/m;

/**
 * A file says where its statements run (`-- on: coordinator`). The heading of a statement is
 * `-- name: findKey` or, for one kind of database, `-- name: lockKey (postgres)`. Parameters are named
 * (`:hash`). `:databaseNowMs` is the time by the database's clock, and needs no value.
 */
export function statementsOf(file: URL) {
  const on = PLACE.exec(readFileSync(file, 'utf8'))?.groups?.['on'] as Statement['on'] | undefined;
  if (on === undefined) throw new Error(`${file.pathname} does not say where its statements run`);
  const base = file.pathname.replace(/^.*\/|\.sql$/g, '');
  const found = textsOf(file);
  return <Read = undefined>(
    name: string,
    readRow: (row: Row) => Read = nothing as () => Read,
  ): Statement<Read> => {
    const texts = found.get(name);
    if (texts === undefined) throw new Error(`${file.pathname} has no statement ${name}`);
    return { name: `${base}.${name}`, on, texts, readRow };
  };
}

type Texts = Partial<Record<Dialect, string>>;

export function textsOf(file: URL): Map<string, Texts> {
  const found = new Map<string, Texts>();
  let lines: string[] = [];
  const end = (name: string, dialects: readonly Dialect[]) => {
    const text = lines.join('\n').trim().replace(/;$/, '');
    const texts = found.get(name) ?? {};
    for (const dialect of dialects) {
      if (text === '' || text.includes(';') || texts[dialect] !== undefined)
        throw new Error(`${name} has no text, or two`);
      texts[dialect] = text;
    }
    found.set(name, texts);
  };
  let ended = () => {};
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const heading = HEADING.exec(line)?.groups;
    if (heading !== undefined) {
      ended();
      lines = [];
      const { name = '', dialect } = heading;
      ended = () => end(name, HEADINGS[dialect ?? 'all'] ?? []);
    } else if (!/^\s*--/.test(line)) lines.push(line);
  }
  ended();
  return found;
}
