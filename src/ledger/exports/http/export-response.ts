import type { ServerResponse } from 'node:http';
import { constants, createGzip, type Gzip, type ZlibOptions } from 'node:zlib';

/** `removed`: the stored export was removed. `key_refused`: the caller's key was revoked or expired. */
type EndReason = 'stopped' | 'removed' | 'closed' | 'slow_reader' | 'key_refused' | 'failed';

export class ResponseEnded extends Error {
  override readonly name = 'ResponseEnded';
  readonly reason: EndReason;

  constructor(reason: EndReason) {
    super(`the response ended: ${reason}`);
    this.reason = reason;
  }
}

type Done = (error?: Error | null) => void;

/** The fastest level. It shortens the text to a fifth. */
const GZIP_LEVEL = 1;
/** Must hold a whole compressed piece: `write` reads the output only after gzip has compressed the piece. */
const GZIP_OUTPUT_BYTES = 2 ** 20;

/** Async methods wait until the kernel has the sent bytes, and throw ResponseEnded if the response ends. */
export class ExportResponse {
  readonly #raw: ServerResponse;
  readonly #gzip: Gzip | null;
  readonly #readerTimeoutMs: number;
  #ended: ResponseEnded | undefined;
  #reject: (error: ResponseEnded) => void = () => {};

  constructor(
    raw: ServerResponse,
    { isGzipped, readerTimeoutMs, gone }: { isGzipped: boolean; readerTimeoutMs: number; gone: AbortSignal },
  ) {
    this.#raw = raw;
    this.#readerTimeoutMs = readerTimeoutMs;
    this.#gzip = isGzipped
      ? createGzip({ level: GZIP_LEVEL, readableHighWaterMark: GZIP_OUTPUT_BYTES } as ZlibOptions)
      : null;
    // Without this listener, node:http would close an idle connection. This class has its own time limit.
    raw.on('timeout', () => {});
    // While no bytes are being sent, only this signal shows that the caller is gone.
    gone.addEventListener('abort', () => this.cut('closed'), { once: true });
    if (gone.aborted) this.cut('closed');
  }

  /** Destroys the connection, so that the caller notices that the response is incomplete. */
  cut(reason: EndReason): void {
    this.#end(reason);
    this.#raw.destroy();
  }

  checkOpen(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  async whileOpen<Value>(promise: Promise<Value>): Promise<Value> {
    // After the response has ended, nothing else handles a rejection of `promise`.
    promise.catch(() => {});
    await this.#until((done) => void promise.then(() => done(), done));
    return promise;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const gzip = this.#gzip;
    if (gzip === null) return this.#send(bytes);
    await this.#pass((done) => gzip.write(bytes, done));
    return this.#sendCompressed(gzip);
  }

  flush(): Promise<void> {
    return this.#flushGzip(constants.Z_SYNC_FLUSH);
  }

  async end(lastBytes: string): Promise<void> {
    if (lastBytes !== '') await this.write(Buffer.from(lastBytes));
    await this.#flushGzip(constants.Z_FINISH);
    await this.#pass((done) => this.#raw.once('finish', done).end());
    this.#gzip?.destroy();
  }

  async #flushGzip(kind: number): Promise<void> {
    const gzip = this.#gzip;
    if (gzip === null) return;
    await this.#pass((done) => gzip.flush(kind, done));
    await this.#sendCompressed(gzip);
  }

  async #sendCompressed(gzip: Gzip): Promise<void> {
    for (;;) {
      const bytes: Uint8Array | null = gzip.read();
      if (bytes === null) return;
      await this.#send(bytes);
    }
  }

  #send(bytes: Uint8Array): Promise<void> {
    return this.#pass((done) => this.#raw.write(bytes, done));
  }

  #until(begin: (done: Done) => void): Promise<void> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#reject = reject;
    begin((error) => (error ? reject(error) : resolve()));
    return promise;
  }

  async #pass(begin: (done: Done) => void): Promise<void> {
    const timer = setTimeout(() => this.cut('slow_reader'), this.#readerTimeoutMs);
    try {
      // Node's error for writing to a closing connection only means that the connection is closed.
      await this.#until((done) => begin((error) => done(error ? new ResponseEnded('closed') : undefined)));
    } finally {
      clearTimeout(timer);
    }
  }

  #end(reason: EndReason): void {
    if (this.#ended !== undefined) return;
    this.#ended = new ResponseEnded(reason);
    this.#gzip?.destroy();
    this.#reject(this.#ended);
  }
}
