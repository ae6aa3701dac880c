import { type Line, lineOf, parseResult } from './batch-line.ts';
import { ArgumentError, RequestTimeoutError, UnexpectedResponseError } from './errors.ts';
import type { BatchResult, BatchTransaction } from './recording.ts';
import { beginRequest, type Call, connectionError, type Request, readText, refusal } from './request.ts';
import { pauseAfter, type RequestOptions, type SendSettings, timeLimitMs } from './send.ts';
import { MAX_TIMER_MS } from './whole-number.ts';

/**
 * While this many transactions have no result, no further transactions are read. Reading resumes only once
 * half of the results have arrived, so that the next transactions are sent in large pieces, not one by one.
 */
const MAX_UNANSWERED = 2000;
/** After this pause, an empty line is sent. The service closes a connection after 75 s without a byte. */
const KEEP_ALIVE_MS = 30_000;
const NDJSON = 'application/x-ndjson';

export interface BatchProgress {
  read: number;
  answered: number;
  /** How many transactions have each outcome. */
  outcomes: Readonly<Record<string, number>>;
  /** How many times the batch was resumed after an error, such as a lost connection. */
  resumed: number;
}

/**
 * The result of each transaction in a batch, in order. Each result is returned once: a second loop continues
 * where the first loop stopped, even after an error.
 *
 * If a transaction is in the batch as `pending` and later as `completed`, `completed` is sent only after
 * `pending` has a result, because a retry of `pending` would be refused after `completed` was recorded.
 */
export class Batch implements AsyncIterable<BatchResult> {
  readonly #settings: SendSettings;
  readonly #options: RequestOptions;
  readonly #source: Iterator<BatchTransaction> | AsyncIterator<BatchTransaction>;
  /** Lines that have no result yet. */
  readonly #lines: Line[] = [];
  readonly #identities = new Set<string>();
  #held: Line | undefined;
  #sent = 0;
  #isFull = false;
  #isEnded = false;
  #isReading = false;
  #isPumping = false;
  #ending: AbortController | undefined;
  #sourceError: { error: unknown } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onTimeout: (() => void) | undefined;
  #read = 0;
  #answered = 0;
  #resumed = 0;
  readonly #outcomes: Record<string, number> = {};
  #wake = () => {};
  #changed = Promise.resolve();

  constructor(
    settings: SendSettings,
    transactions: Iterable<BatchTransaction> | AsyncIterable<BatchTransaction>,
    options: RequestOptions,
  ) {
    this.#settings = settings;
    this.#options = options;
    this.#source =
      Symbol.asyncIterator in transactions
        ? transactions[Symbol.asyncIterator]()
        : transactions[Symbol.iterator]();
    this.#notify();
  }

  get progress(): BatchProgress {
    return {
      read: this.#read,
      answered: this.#answered,
      outcomes: { ...this.#outcomes },
      resumed: this.#resumed,
    };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BatchResult, void, undefined> {
    if (this.#isReading)
      throw new ArgumentError('The batch is already being read. Wait for the other loop to end.');
    this.#isReading = true;
    if (!this.#isPumping) void this.#pump();
    try {
      for (let retries = 0; await this.#hasMore(); retries++) {
        const before = this.#answered;
        try {
          yield* this.#readResults();
        } catch (error) {
          // After the last result, a broken connection loses nothing, so it is no failure.
          if (this.#isDone) return;
          if (this.#answered > before) retries = 0;
          const { callRetries } = this.#settings;
          await pauseAfter(error, retries, callRetries, this.#settings, this.#options.signal);
          this.#resumed++;
        }
      }
    } finally {
      this.#isReading = false;
      this.#notify();
    }
  }

  get #isDone(): boolean {
    return this.#isEnded && this.#lines.length === 0 && this.#held === undefined;
  }

  async #hasMore(): Promise<boolean> {
    const { signal } = this.#options;
    const stop = () => this.#notify();
    signal?.addEventListener('abort', stop);
    try {
      for (;;) {
        signal?.throwIfAborted();
        if (this.#sourceError !== undefined) throw this.#sourceError.error;
        if (this.#lines.length > 0 || this.#isDone) return !this.#isDone;
        await this.#changed;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  #notify(): void {
    const wake = this.#wake;
    this.#changed = new Promise((resolve) => {
      this.#wake = resolve;
    });
    wake();
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      while (this.#isReading && !this.#isEnded) {
        if (this.#held === undefined) {
          const { done, value } = await this.#source.next();
          if (done) this.#isEnded = true;
          else this.#held = lineOf(value, ++this.#read);
        } else if (this.#isFull || this.#identities.has(this.#held.identity)) {
          await this.#changed;
          continue;
        } else {
          this.#identities.add(this.#held.identity);
          this.#lines.push(this.#held);
          this.#held = undefined;
          this.#isFull = this.#lines.length === MAX_UNANSWERED;
        }
        this.#notify();
      }
    } catch (error) {
      this.#sourceError = { error };
      this.#ending?.abort(error);
      this.#notify();
    } finally {
      // Never `await` between the loop and this line. A reader that begins during the wait would see that
      // `#isPumping` is true, and would start no pump.
      this.#isPumping = false;
    }
  }

  async *#readResults(): AsyncGenerator<BatchResult, void, undefined> {
    const { signal } = this.#options;
    const ending = new AbortController();
    const abort = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    this.#ending = ending;
    this.#sent = 0;
    const body = { type: NDJSON, content: this.#body(ending) };
    const call: Call = { method: 'POST', path: '/v1/batch', accept: NDJSON, body };
    const request = beginRequest(this.#settings, call, ending.signal);
    try {
      const response = await this.#within(request, request.fetch);
      if (response.status !== 200)
        throw refusal(await this.#within(request, () => readText(response, request)), this.#settings);
      const reader = response.body?.getReader();
      if (reader === undefined)
        throw new ArgumentError('The fetch of the client returns no `body` stream, which a batch needs.');
      const decoder = new TextDecoder();
      for (let rest = ''; ; ) {
        const { done, value } = await this.#within(request, () => reader.read());
        if (done) break;
        const texts = (rest + decoder.decode(value, { stream: true })).split('\n');
        rest = texts.pop() as string;
        for (const text of texts) yield this.#settle(text, request);
      }
      if (!this.#isDone) throw connectionError(request, 'the response ends early', undefined);
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#ending = undefined;
      this.#notify();
      request.end();
    }
  }

  #body(ending: AbortController): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      while (this.#ending === ending) {
        if (this.#lines.length > this.#sent) {
          // Lines that are read in the same iteration of the event loop are sent as one piece.
          await new Promise((resolve) => setTimeout(resolve));
          if (this.#ending !== ending) return;
          const unsent = this.#lines.slice(this.#sent);
          this.#sent = this.#lines.length;
          this.#startTimer();
          return controller.enqueue(encoder.encode(unsent.map(({ text }) => text).join('')));
        }
        if (this.#isEnded && this.#held === undefined) return controller.close();
        if (!(await this.#changedWithin(KEEP_ALIVE_MS))) return controller.enqueue(encoder.encode('\n'));
      }
    };
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }

  async #changedWithin(timeoutMs: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    const isChanged = await Promise.race([this.#changed.then(() => true), timeout]);
    clearTimeout(timer);
    return isChanged;
  }

  /** The timer runs only while a sent line has no result. */
  async #within<Result>(request: Request, step: () => Promise<Result>): Promise<Result> {
    const timeoutMs = timeLimitMs(this.#settings, this.#options);
    const { origin } = request;
    this.#onTimeout = () => this.#ending?.abort(new RequestTimeoutError(origin, timeoutMs, request));
    this.#startTimer();
    try {
      return await request.within(MAX_TIMER_MS, step);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = this.#onTimeout = undefined;
    }
  }

  #startTimer(): void {
    if (this.#timer !== undefined || this.#onTimeout === undefined || this.#sent === 0) return;
    this.#timer = setTimeout(this.#onTimeout, timeLimitMs(this.#settings, this.#options));
  }

  #settle(text: string, request: Request): BatchResult {
    const { requestId } = request;
    const result = parseResult(text);
    const [line] = this.#lines;
    if (result === undefined || line === undefined || this.#sent === 0)
      throw new UnexpectedResponseError(
        `A line of the response is not the result of a transaction (request ${requestId}).`,
        requestId,
      );
    // The key expired or was revoked, and the service reads no more lines. The batch is resumed as after a
    // lost connection. The new request is refused with a 401, which has the reason.
    if (result.errors?.[0]?.code === 'invalid_api_key')
      throw connectionError(request, 'the key is no longer accepted', undefined);
    this.#lines.shift();
    if (this.#lines.length * 2 <= MAX_UNANSWERED) this.#isFull = false;
    this.#identities.delete(line.identity);
    this.#sent--;
    this.#answered++;
    this.#outcomes[result.outcome] = (this.#outcomes[result.outcome] ?? 0) + 1;
    this.#notify();
    return { ...result, line: line.line, transaction: line.transaction };
  }
}
