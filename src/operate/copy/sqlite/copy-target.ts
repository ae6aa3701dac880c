import { Thread, type ThreadCall } from '../../../db/sqlite/thread.ts';
import { storedValuesOf } from '../../stored-rows.ts';
import { refusedChanges } from '../copy-context.ts';
import type { CopyMark } from '../copy-mark.ts';
import type { ChangeChunk, CopyStatement, CopyTarget } from '../copy-target.ts';
import type { CopyWriter, SentChunk } from './copy-writer.ts';

/** Rows are garbage when they are written. More would only hold more of them. */
const YOUNG_GENERATION_MB = 16;

/** Writes on a thread of its own. */
export class SqliteCopyTarget implements CopyTarget {
  readonly #thread: Thread<ThreadCall>;
  readonly #release: () => void;
  /** One is written, and the next one waits. */
  readonly writesInFlight = 2;
  readonly jsonRows = {
    from: () => 'json_each($1)',
    column: (name: string) => `value ->> '${name}'`,
  };

  /** `release` releases the lock against a second copy. */
  constructor(path: string, release: () => void) {
    this.#release = release;
    this.#thread = new Thread('writing', new URL('./copy-target-worker.ts', import.meta.url), {
      workerData: path,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
  }

  async mark(mark: CopyMark): Promise<void> {
    await this.#send('mark', mark);
  }

  async writeChanges(chunks: readonly ChangeChunk[]): Promise<void> {
    const sent = chunks.map(({ rows, ...chunk }): SentChunk => {
      // Near the rows that were written before them in the table, which is in this order.
      const sorted = rows.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
      return { ...chunk, rows: sorted.map(storedValuesOf) };
    });
    const refused = await this.#send<string | null>('writeChanges', sent);
    if (refused !== null) throw refusedChanges(refused);
  }

  async run(statements: readonly CopyStatement[]): Promise<void> {
    await this.#send('run', statements);
  }

  async unmark(): Promise<void> {
    await this.#send('unmark');
  }

  async close(): Promise<void> {
    await this.#thread.close();
    this.#release();
  }

  #send<Result>(name: keyof CopyWriter, ...values: readonly unknown[]): Promise<Result> {
    return this.#thread.call({ name, values });
  }
}
