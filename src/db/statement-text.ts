import type { Row, Statement, Value, Values } from './statement.ts';

export interface Numbered {
  text: string;
  /** Returns the values in the order of their numbers. Throws: Error if a value is missing. */
  valuesOf(values: Values): Value[];
}

interface Numbering {
  databaseNowMs: string;
  write: (number: number, name: string) => string;
  first?: readonly string[];
}

/** Matches a parameter, but not a PostgreSQL cast. */
const PARAMETER = /(?<!:):([a-zA-Z]+)\b/g;

export function numbered(
  name: string,
  text: string,
  { databaseNowMs, write, first = [] }: Numbering,
): Numbered {
  const parameters = [...first];
  const written = text.replaceAll(PARAMETER, (_, parameter: string) => {
    if (parameter === 'databaseNowMs') return databaseNowMs;
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return write(parameters.indexOf(parameter) + 1, parameter);
  });
  // Every list and every recording calls this function, so it does not create a closure for each value.
  const valuesOf = (values: Values) => {
    const inOrder: Value[] = [];
    for (const parameter of parameters) {
      const value = values[parameter];
      if (value === undefined) throw new Error(`${name} has no value for ${parameter}`);
      inOrder.push(value);
    }
    return inOrder;
  };
  return { text: written, valuesOf };
}

const reader = new (class implements Row {
  #values: readonly Value[] = [];
  #at = 0;

  begin(values: readonly Value[]): this {
    this.#values = values;
    this.#at = 0;
    return this;
  }

  finish(): void {
    if (this.#at !== this.#values.length)
      fail(`has ${this.#values.length} columns, and ${this.#at} are read`);
  }

  text(): string {
    return this.textOrNull() ?? fail('has a NULL where a text is required');
  }

  textOrNull(): string | null {
    const value = this.#values[this.#at++];
    return value === null || typeof value === 'string' ? value : fail(`has no text but ${typeof value}`);
  }

  word(): string {
    return this.text();
  }

  integer(): number {
    return this.integerOrNull() ?? fail('has a NULL where a number is required');
  }

  integerOrNull(): number | null {
    const value = this.#values[this.#at++];
    return value === null || Number.isSafeInteger(value)
      ? (value as number | null)
      : fail(`has no integer but ${typeof value}`);
  }
})();

function fail(what: string): never {
  throw new Error(`a row from the database ${what}`);
}

export function readRows<Read>(
  { readRow }: Pick<Statement<Read>, 'readRow'>,
  rows: readonly (readonly Value[])[],
): Read[] {
  return rows.map((values) => {
    const read = readRow(reader.begin(values));
    reader.finish();
    return read;
  });
}
