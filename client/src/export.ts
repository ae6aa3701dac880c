import { type Answer, openAnswer } from './answer.ts';
import {
  ArgumentError,
  ExportDamagedError,
  NotFoundError,
  type TransactionsError,
  UnexpectedResponseError,
} from './errors.ts';
import type { ExportItems } from './export-items.ts';
import {
  type ExportFormat,
  type ExportManifest,
  type ExportQuery,
  expectedRows,
  fetchManifest,
  parseLine,
  readManifest,
  readRow,
} from './export-manifest.ts';
import { checkTexts, withQuery } from './filters.ts';
import { type Call, connectionError } from './request.ts';
import { isCount, isObject } from './response.ts';
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
import { FILTERS } from './transaction.ts';

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};
const PARAMETERS = [
  ...FILTERS,
  'paidFrom',
  'paidTo',
  'format',
  'spreadsheet',
  'relatedTo',
  'recordedAt',
  'details',
];

/** Rows that the service reads again in a millisecond, at least, before it sends the next one of a resumed export. */
const ROWS_REREAD_PER_MS = 10;
/** The pauses before the manifest is requested again. They double. */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 3200;

/**
 * All transactions that match, in the order of a list and as they were when the export began. The loop resumes an export that was
 * cut, and ends without an error only if all bytes agree with the manifest. It can be read once: a second loop continues
 * where the first one stopped, also after an error.
 */
export class Export<Item> implements AsyncIterable<Item> {
  readonly #settings: SendSettings;
  /** The path of the account's resources. */
  readonly #root: string;
  /** Sends without retries: the loop retries. */
  readonly #send: Send;
  readonly #format: ExportFormat;
  readonly #query: Record<string, string>;
  readonly #options: RequestOptions;
  readonly #items: ExportItems<Item>;
  /** Items that were read and not yet returned, the next one last. */
  #buffer: Item[] = [];
  #id: string | null = null;
  #asOf: number | null = null;
  #asOfId: string | null = null;
  #rows = 0;
  #expectedRows: number | null = null;
  #manifest: ExportManifest | null = null;
  #bytes = 0;
  readonly #hash = new Sha256();
  /** The reference of the last row. */
  #last = '';
  #requestId = '';
  /** Whether the answer of CSV has ended, so that only the manifest is missing. */
  #isEnded = false;
  #isReading = false;

  /** Created by `client.transactions.export` and `client.transactions.exportFile`. */
  constructor(
    settings: SendSettings,
    root: string,
    { spreadsheet, relatedTo, recordedAt, details, ...given }: ExportQuery,
    options: RequestOptions,
    items: ExportItems<Item>,
  ) {
    checkRequestOptions(options);
    const columns = {
      ...(spreadsheet !== undefined && { spreadsheet: String(spreadsheet) }),
      ...(relatedTo !== undefined && { relatedTo: String(relatedTo) }),
      ...(recordedAt !== undefined && { recordedAt: String(recordedAt) }),
      ...(details !== undefined && details.length > 0 && { details: details.join(',') }),
    };
    const { format = '', ...query } = checkTexts({ ...given, ...columns }, PARAMETERS);
    if (!Object.hasOwn(MEDIA_TYPES, format)) throw new ArgumentError('The format is neither csv nor ndjson.');
    this.#settings = settings;
    this.#root = root;
    this.#send = createSend({ ...settings, callRetries: { ...settings.callRetries, maxRetries: 0 } });
    this.#format = format as ExportFormat;
    this.#query = query;
    this.#options = options;
    this.#items = items;
  }

  /** The id of the export; null until the service has answered, as is asOf. */
  get id(): string | null {
    return this.#id;
  }

  /** The sequence number of the last change that is shown. */
  get asOf(): number | null {
    return this.#asOf;
  }

  /** How many transactions have arrived. */
  get rows(): number {
    return this.#rows;
  }

  /** How many transactions there are; null until it is known. */
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
    const ending = new AbortController();
    try {
      yield* this.#drain();
      for (let retries = 0; this.#manifest === null; retries++) {
        const before = this.#rows;
        try {
          if (!this.#isEnded) yield* this.#readAnswer(ending.signal);
          if (this.#isEnded) await this.#awaitManifest();
        } catch (error) {
          if (this.#rows > before) retries = 0;
          const { callRetries } = this.#settings;
          await pauseAfter(error, retries, callRetries, this.#settings, this.#options.signal);
        }
      }
    } finally {
      this.#isReading = false;
      ending.abort();
    }
  }

  /** The rows of one answer: of a new export, or of this one after the last row. */
  async *#readAnswer(ending: AbortSignal): AsyncGenerator<Item, void, undefined> {
    const answer = await openAnswer(this.#settings, this.#call(), {
      signal: this.#options.signal,
      timeoutMs: timeLimitMs(this.#settings, this.#options),
      firstMs: Math.ceil(this.#rows / ROWS_REREAD_PER_MS),
    });
    try {
      this.#begin(answer);
      if (this.#expectedRows === null) this.#expectRows(ending);
      const splitter = new RowSplitter(this.#format, this.#headerOf());
      for (;;) {
        const bytes = await answer.read().catch((error) => {
          // After the manifest line comes only the end.
          if (splitter.isAtManifest) return null;
          throw error;
        });
        if (bytes === null) break;
        this.#add(splitter.push(bytes));
        yield* this.#drain();
      }
      this.#end(splitter.rest);
    } finally {
      answer.close();
    }
  }

  *#drain(): Generator<Item, void, undefined> {
    for (let item = this.#buffer.pop(); item !== undefined; item = this.#buffer.pop()) yield item;
  }

  #call(): Call {
    // Without a row, the service sends everything again.
    const query =
      this.#id === null ? this.#query : { resume: this.#id, ...(this.#rows > 0 && { after: this.#last }) };
    const path = withQuery(`${this.#root}/transactions.${this.#format}`, query);
    return { method: 'GET', path, accept: MEDIA_TYPES[this.#format] };
  }

  /** What to do with the header of the next answer. Only an answer with the first row has one. */
  #headerOf(): 'keep' | 'drop' | null {
    if (this.#format !== 'csv' || this.#rows > 0) return null;
    return this.#bytes === 0 ? 'keep' : 'drop';
  }

  /** @throws UnexpectedResponseError if the answer is not of this export. */
  #begin({ headers, requestId }: Answer): void {
    this.#requestId = requestId;
    const id = headers.get('export-id');
    const asOf = Number(headers.get('export-as-of') || Number.NaN);
    const asOfId = headers.get('export-as-of-id') || null;
    const isFirst = this.#id === null;
    const isSame = id === this.#id && asOf === this.#asOf && asOfId === this.#asOfId;
    if (!id || !isCount(asOf) || !(isFirst || isSame))
      throw this.#unexpected(`The response is not ${isFirst ? 'an' : 'the same'} export`);
    this.#id = id;
    this.#asOf = asOf;
    this.#asOfId = asOfId;
  }

  /** Finds out how many rows there are, for callers that show the progress. The export does without if that fails. */
  #expectRows(signal: AbortSignal): void {
    this.#fetchManifest(signal).then(
      (manifest) => {
        if (manifest !== null) this.#expectedRows = expectedRows(manifest);
      },
      () => {},
    );
  }

  #add({ bytes, count, last }: Rows): void {
    if (bytes.length === 0) return;
    this.#buffer = this.#items.read(bytes).reverse();
    if (last !== null) this.#last = this.#referenceOf(last);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    this.#rows += count;
  }

  #referenceOf(row: string): string {
    // A reference needs no quotes. One that begins like a formula has an apostrophe in front.
    if (this.#format === 'csv') return row.slice(row.startsWith("'") ? 1 : 0, row.indexOf(','));
    return readRow(row).reference;
  }

  /**
   * Checks the end of an answer.
   *
   * @throws ConnectionError if the answer is not complete.
   */
  #end(rest: string): void {
    if (this.#format === 'csv') {
      if (rest !== '') throw this.#incomplete();
      this.#isEnded = true;
      return;
    }
    const line = parseLine(rest);
    if (!isObject(line) || !('export' in line)) throw this.#incomplete();
    this.#verify(readManifest(line['export'], this.#requestId));
  }

  /** Verifies CSV with its manifest. A replica of the service's database can still say that the export runs. */
  async #awaitManifest(): Promise<void> {
    const { signal } = this.#options;
    for (let pauseMs = FIRST_PAUSE_MS; pauseMs <= LAST_PAUSE_MS; pauseMs *= 2) {
      const manifest = await this.#fetchManifest(signal);
      if (manifest?.state === 'complete') {
        const isWhole = manifest.id !== this.#id || this.#bytes >= (manifest.bytes as number);
        if (isWhole) return this.#verify(manifest);
        break;
      }
      // Resuming it throws the error of the service.
      if (manifest?.state === 'failed') break;
      await this.#settings.sleep(pauseMs, signal);
    }
    // A proxy can end an answer early as if it were complete.
    this.#isEnded = false;
    throw this.#incomplete();
  }

  async #fetchManifest(signal: AbortSignal | undefined): Promise<ExportManifest | null> {
    try {
      return await fetchManifest(this.#send, this.#root, this.#id as string, { ...this.#options, signal });
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  /** @throws ExportDamagedError */
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
    this.#isEnded = false;
  }

  #incomplete(): TransactionsError {
    const { origin } = new URL(this.#settings.url);
    const request = { origin, target: `GET ${this.#call().path}`, requestId: this.#requestId };
    return connectionError(request, 'the export ends early', undefined);
  }

  #unexpected(fault: string): TransactionsError {
    const request = `GET ${this.#call().path}, request ${this.#requestId}`;
    return new UnexpectedResponseError(`${fault} (${request}).`, this.#requestId);
  }
}
