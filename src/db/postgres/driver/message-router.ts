import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import type { Row } from '../../statement.ts';
import { Batch } from './batch.ts';
import { internalsOf, type PgInternals } from './pg-internals.ts';

/** One byte for the kind, and four for the length, which does not count the first byte. */
const HEAD_BYTES = 5;
const DATA_ROW = 0x44;
const COMMAND_COMPLETE = 0x43;
const BIND_COMPLETE = 0x32;

const NO_BYTES: Buffer = Buffer.alloc(0);

/** Replaces pg's parser, which creates several objects for each row. The client must not be connected yet. */
export function routeBatchMessages(client: pg.Client): void {
  const internals = internalsOf(client);
  const { connection } = internals;
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (socket) => {
    const messages = new EventEmitter();
    attach(messages);
    const route = messageRouter(internals, (message) => messages.emit('data', message));
    socket.on('data', (bytes: Buffer) => {
      try {
        route(bytes);
      } catch (error) {
        // Nothing shows to which query the later bytes belong, so all queries in flight must fail.
        (socket as Duplex).destroy(error as Error);
      }
    });
    socket.on('end', () => messages.emit('end'));
  };
}

function messageRouter(pgClient: PgInternals, passToPg: (message: Buffer) => void): (piece: Buffer) => void {
  const row = new RowReader();
  let rest = NO_BYTES;
  const activeBatch = () => {
    const query = pgClient._getActiveQuery();
    return query instanceof Batch ? query : null;
  };
  return (piece) => {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let batch = activeBatch();
    let at = 0;
    while (at + HEAD_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end < at + HEAD_BYTES) throw new Error('the database sent a message that is shorter than its head');
      if (end > bytes.length) break;
      const kind = bytes[at];
      if (batch !== null && kind === DATA_ROW) {
        batch.handleRow(row.begin(bytes, at + HEAD_BYTES, end));
        row.finish();
      } else if (batch !== null && kind === COMMAND_COMPLETE) batch.handleEnd();
      else if (batch === null || kind !== BIND_COMPLETE) {
        passToPg(bytes.subarray(at, end));
        batch = activeBatch();
      }
      at = end;
    }
    rest = at === bytes.length ? NO_BYTES : bytes.subarray(at);
  };
}

const TWO_TO_32 = 2 ** 32;
const NULL = -1;
const WORD_SLOTS = 256;

/** A method throws an Error if it cannot return the right value, for example for a number beyond 2^53. */
export class RowReader implements Row {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #columns = 0;
  readonly #words: (string | undefined)[] = new Array(WORD_SLOTS).fill(undefined);

  begin(bytes: Buffer, at: number, end: number): this {
    this.#bytes = bytes;
    this.#columns = bytes.readInt16BE(at);
    this.#at = at + 2;
    this.#end = end;
    return this;
  }

  finish(): void {
    if (this.#columns !== 0) fail(`has more columns than are read: ${this.#columns}`);
    if (this.#at !== this.#end) fail('is longer than its values');
  }

  text(): string {
    return this.#text(this.#length());
  }

  textOrNull(): string | null {
    const length = this.#lengthOrNull();
    return length === NULL ? null : this.#text(length);
  }

  word(): string {
    const length = this.#length();
    const from = this.#at;
    const bytes = this.#bytes;
    const slot = (31 * (bytes[from] ?? 0) + (bytes[from + 1] ?? 0) + length) % WORD_SLOTS;
    const cached = this.#words[slot];
    if (cached !== undefined && isWord(cached, bytes, from, length)) {
      this.#at += length;
      return cached;
    }
    const word = this.#text(length);
    this.#words[slot] = word;
    return word;
  }

  integer(): number {
    return this.#integer(this.#length());
  }

  integerOrNull(): number | null {
    const length = this.#lengthOrNull();
    return length === NULL ? null : this.#integer(length);
  }

  #length(): number {
    const length = this.#lengthOrNull();
    if (length === NULL) fail('has a NULL where a value is required');
    return length;
  }

  #lengthOrNull(): number {
    if (--this.#columns < 0) fail('has fewer columns than are read');
    const length = this.#bytes.readInt32BE(this.#at);
    this.#at += 4;
    if (length < NULL || this.#at + (length === NULL ? 0 : length) > this.#end) fail('ends within a value');
    return length;
  }

  #text(length: number): string {
    const from = this.#at;
    this.#at += length;
    return this.#bytes.toString('utf8', from, this.#at);
  }

  #integer(length: number): number {
    if (length !== 8) fail(`has a bigint of ${length} bytes`);
    const from = this.#at;
    this.#at += 8;
    const value = this.#bytes.readInt32BE(from) * TWO_TO_32 + this.#bytes.readUInt32BE(from + 4);
    if (!Number.isSafeInteger(value)) fail('has a bigint beyond 2^53');
    return value;
  }
}

function fail(what: string): never {
  throw new Error(`a row from the database ${what}`);
}

function isWord(word: string, bytes: Buffer, from: number, length: number): boolean {
  if (word.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (word.charCodeAt(index) !== bytes[from + index]) return false;
  }
  return true;
}
