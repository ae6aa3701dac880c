import { isStatusName, type Statuses, type StatusNames } from '../../values/status.ts';
import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';

const sql = statementsOf(new URL('./recorded-statuses.sql', import.meta.url));
const LIST = sql('listRecordedStatuses', (row) => row.text());

export interface StatusReader {
  /** Sorted, without the built-in statuses. */
  listRecordedStatuses(): Promise<string[]>;
}

export const statusReader = (db: Db): StatusReader => ({
  listRecordedStatuses: () => db.read(LIST, {}),
});

/** Filters also accept statuses that are no longer declared, if recorded transactions have them. */
export class RecognisedStatuses implements StatusNames {
  readonly #reader: StatusReader;
  readonly #names: Set<string>;

  constructor(declared: Statuses, reader: StatusReader) {
    this.#reader = reader;
    this.#names = new Set(declared.keys());
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  keys(): Iterable<string> {
    return this.#names;
  }

  async read(): Promise<void> {
    for (const status of await this.#reader.listRecordedStatuses()) this.#names.add(status);
  }

  async readFor(status: unknown): Promise<void> {
    if (typeof status === 'string' && !this.has(status) && isStatusName(status)) await this.read();
  }
}
