import { COLUMN_FIELDS } from '../../values/interface/fields.ts';
import { type Answer, openAnswer } from './answer.ts';
import { ArgumentError, ExportDamagedError, NotFoundError, TransactionsError } from './errors.ts';
import type { ExportItems } from './export-items.ts';
import {
  type ExportFormat,
  type ExportManifest,
  type ExportQuery,
  expectedRows,
  fetchManifest,
  isManifest,
  parseLine,
} from './export-manifest.ts';
import { checkTexts, withQuery } from './filters.ts';
import { refuseData } from './misuse.ts';
import { type Call, connectionError } from './request.ts';
import { isCount, isObject, notOurs } from './response.ts';
import { RowSplitter, type Rows } from './rows.ts';
import {
  checkRequestOptions,
  createSend,
  pauseAfter,
  type RequestOptions,
  type Send,
  type SendSettings,
  timeLimitMs,
} from './send.ts';
import { Sha256 } from './sha256.ts';
import { FILTER_NAMES } from './transaction.ts';

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};
const FLAGS = ['spreadsheet', ...COLUMN_FIELDS, 'recordedAt'] as const;
const PARAMETERS = [...FILTER_NAMES, 'paidFrom', 'paidTo', 'format', ...FLAGS, 'details'];

export const MAX_RESTARTS = 3;
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 3200;

export interface ExportRestart {
  error: TransactionsError;
  rows: number;
  /** 1 for the first restart, at most 3. */
  restart: number;
}

export interface ExportOptions extends RequestOptions {
  /**
   * Called before an interrupted export starts again. In it, discard every item that the loop has returned.
   * Without this function, an interrupted export starts again only if the loop has returned nothing.
   */
  onRestart?: ((restart: ExportRestart) => void | Promise<void>) | undefined;
}

/**
 * A `for await` loop returns all matching transactions, newest first, as they were when the export began. The
 * loop ends without an error only if all bytes agree with the manifest. An interrupted export starts again
 * from the beginning, up to three times. Each loop begins a new export.
 */
export class Export<Item> implements AsyncIterable<Item> {
  readonly #settings: SendSettings;
  readonly #root: string;
  readonly #sendOnce: Send;
  readonly #format: ExportFormat;
  readonly #call: Call;
  readonly #options: RequestOptions;
  readonly #onRestart: ExportOptions['onRestart'];
  readonly #newItems: () => ExportItems<Item>;
  #items: ExportItems<Item>;
  #id: string | null = null;
  #asOf: number | null = null;
  #asOfId: string | null = null;
  #rows = 0;
  #expectedRows: number | null = null;
  #manifest: ExportManifest | null = null;
  #bytes = 0;
  #hash = new Sha256();
  #requestId = '';
  #isReading = false;

  constructor(
    settings: SendSettings,
    root: string,
    { details, ...query }: ExportQuery,
    given: ExportOptions,
    newItems: () => ExportItems<Item>,
  ) {
    checkRequestOptions(given, ['onRestart']);
    const { onRestart, ...options } = given;
    const columns = {
      ...Object.fromEntries(
        FLAGS.flatMap((name) => (query[name] === undefined ? [] : [[name, String(query[name])]])),
      ),
      ...(details !== undefined && details.length > 0 && { details: details.join(',') }),
    };
    const { format = '', ...texts } = checkTexts({ ...query, ...columns }, PARAMETERS);
    if (!Object.hasOwn(MEDIA_TYPES, format)) throw new ArgumentError('The format is neither csv nor ndjson.');
    this.#settings = settings;
    this.#root = root;
    this.#sendOnce = createSend({ ...settings, callRetries: { ...settings.callRetries, maxRetries: 0 } });
    this.#format = format as ExportFormat;
    const path = withQuery(`${root}/transactions.${format}`, texts);
    this.#call = { method: 'GET', path, accept: MEDIA_TYPES[this.#format] };
    this.#options = options;
    this.#onRestart = onRestart;
    this.#newItems = newItems;
    this.#items = newItems();
    refuseData(this);
  }

  /** Null until the service has answered. The same holds for `asOf`. */
  get id(): string | null {
    return this.#id;
  }

  /** The sequence number of the last change that the export includes. */
  get asOf(): number | null {
    return this.#asOf;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Null until the number is known. */
  get expectedRows(): number | null {
    return this.#expectedRows;
  }

  /** Null until the loop has ended without an error. */
  get manifest(): ExportManifest | null {
    return this.#manifest;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    if (this.#isReading)
      throw new ArgumentError('The export is already being read. Wait for the other loop to end.');
    this.#isReading = true;
    this.#reset();
    const ending = new AbortController();
    try {
      for (let restart = 0, retries = 0; ; retries++) {
        try {
          yield* this.#readAnswer(ending.signal);
          if (this.#format === 'csv') await this.#awaitManifest();
          return;
        } catch (error) {
          if (restart === 0 && this.#id === null)
            await this.#pause(error, retries, this.#settings.callRetries.maxRetries);
          else await this.#pauseBeforeRestart(error, ++restart);
        }
      }
    } finally {
      this.#isReading = false;
      ending.abort();
    }
  }

  async *#readAnswer(ending: AbortSignal): AsyncGenerator<Item, void, undefined> {
    const answer = await openAnswer(this.#settings, this.#call, {
      signal: this.#options.signal,
      timeoutMs: timeLimitMs(this.#settings, this.#options),
    });
    try {
      this.#begin(answer);
      this.#expectRows(ending);
      const splitter = new RowSplitter(this.#format);
      for (;;) {
        const bytes = await answer.read().catch((error) => {
          // After the manifest line, no more bytes are needed, so a lost connection is not a failure.
          if (splitter.isAtManifest) return null;
          throw error;
        });
        if (bytes === null) break;
        yield* this.#itemsOf(splitter.push(bytes));
      }
      this.#end(splitter.rest);
    } finally {
      answer.close();
    }
  }

  #reset(): void {
    this.#items = this.#newItems();
    this.#hash = new Sha256();
    [this.#id, this.#asOf, this.#asOfId, this.#expectedRows, this.#manifest] = [null, null, null, null, null];
    [this.#rows, this.#bytes] = [0, 0];
  }

  async #pauseBeforeRestart(error: unknown, restart: number): Promise<void> {
    if (this.#bytes > 0 && this.#onRestart === undefined) throw error;
    await this.#pause(error, restart - 1, MAX_RESTARTS);
    await this.#onRestart?.({ error: error as TransactionsError, rows: this.#rows, restart });
  }

  #pause(error: unknown, retries: number, maxRetries: number): Promise<void> {
    const limits = { ...this.#settings.callRetries, maxRetries };
    return pauseAfter(error, retries, limits, this.#settings, this.#options.signal);
  }

  #begin({ headers, requestId }: Answer): void {
    this.#requestId = requestId;
    const id = headers.get('export-id');
    const asOf = Number(headers.get('export-as-of') || Number.NaN);
    if (!id || !isCount(asOf)) throw notOurs('an export', this.#request);
    this.#reset();
    this.#id = id;
    this.#asOf = asOf;
    this.#asOfId = headers.get('export-as-of-id') || null;
  }

  /** If the request fails, the export continues without the number of expected rows. */
  #expectRows(signal: AbortSignal): void {
    this.#fetchManifest(signal).then(
      (manifest) => {
        if (manifest?.id === this.#id) this.#expectedRows = expectedRows(manifest);
      },
      () => {},
    );
  }

  #itemsOf({ bytes, count }: Rows): Item[] {
    if (bytes.length === 0) return [];
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    this.#rows += count;
    return this.#items.read(bytes);
  }

  #end(rest: string): void {
    if (this.#format === 'csv') {
      if (rest !== '') throw this.#incomplete();
      return;
    }
    const line = parseLine(rest);
    if (!isObject(line) || !('export' in line)) throw this.#incomplete();
    if (!isManifest(line['export'])) throw notOurs('the manifest of an export', this.#request);
    this.#verify(line['export']);
  }

  /** Requests the manifest until it is complete, because a replica of the database may be behind. */
  async #awaitManifest(): Promise<void> {
    const { signal } = this.#options;
    for (let pauseMs = FIRST_PAUSE_MS; pauseMs <= LAST_PAUSE_MS; pauseMs *= 2) {
      const manifest = await this.#fetchManifest(signal).catch(nullIfRetryable);
      if (manifest?.state === 'complete') {
        const isWhole = manifest.id !== this.#id || this.#bytes >= (manifest.bytes as number);
        if (isWhole) return this.#verify(manifest);
        break;
      }
      await this.#settings.sleep(pauseMs, signal);
    }
    // A proxy may have ended a partial response as if it were complete.
    throw this.#incomplete();
  }

  async #fetchManifest(signal: AbortSignal | undefined): Promise<ExportManifest | null> {
    try {
      const options = { ...this.#options, signal };
      return await fetchManifest(this.#sendOnce, this.#root, this.#id as string, options);
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  #verify(manifest: ExportManifest): void {
    const own = {
      id: this.#id,
      state: 'complete',
      format: this.#format,
      asOf: this.#asOf,
      asOfId: this.#asOfId,
      rows: this.#rows,
      bytes: this.#bytes,
      sha256: this.#hash.hex(),
    };
    const names = (Object.keys(own) as (keyof typeof own)[]).filter((name) => manifest[name] !== own[name]);
    const differences = names.map((name) => `${name} is ${own[name]}, not ${manifest[name]}`);
    if (expectedRows(manifest) !== this.#rows) differences.push('its totals have another number of rows');
    if (differences.length > 0) throw new ExportDamagedError(differences.join('; '), this.#requestId);
    this.#items.verify(manifest);
    this.#expectedRows = this.#rows;
    this.#manifest = manifest;
  }

  get #request() {
    const { origin } = new URL(this.#settings.url);
    return { origin, target: `GET ${this.#call.path}`, requestId: this.#requestId };
  }

  #incomplete(): TransactionsError {
    return connectionError(this.#request, 'the export ends early', undefined);
  }
}

function nullIfRetryable(error: unknown): null {
  if (error instanceof TransactionsError && error.retryable) return null;
  throw error;
}
