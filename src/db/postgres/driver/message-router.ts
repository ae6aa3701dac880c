import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { Batch } from './batch.ts';
import { internalsOf, type PgInternals } from './pg-internals.ts';
import { RowReader } from './row-reader.ts';

/**
 * A message begins with a byte for its kind and with its length. The length does not count the first byte.
 */
const HEAD_BYTES = 5;
const DATA_ROW = 0x44;
const COMMAND_COMPLETE = 0x43;
const BIND_COMPLETE = 0x32;

const NO_BYTES: Buffer = Buffer.alloc(0);

/**
 * Passes the rows of batches to the batch as bytes, and all other messages to pg. For each row, pg would
 * create an object, texts and two events. Call it before the client connects.
 */
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
        // It is no longer known which queries the rest of the stream answers. Every query in flight fails,
        // and the next query connects again.
        (socket as Duplex).destroy(error as Error);
      }
    });
    socket.on('end', () => messages.emit('end'));
  };
}

/** Splits the bytes from the server, which arrive in pieces, into messages. */
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
      if (batch !== null && kind === DATA_ROW) batch.handleRow(row.begin(bytes, at + HEAD_BYTES, end));
      else if (batch !== null && kind === COMMAND_COMPLETE) batch.handleEnd();
      else if (batch === null || kind !== BIND_COMPLETE) {
        passToPg(bytes.subarray(at, end));
        batch = activeBatch();
      }
      at = end;
    }
    rest = at === bytes.length ? NO_BYTES : bytes.subarray(at);
  };
}
