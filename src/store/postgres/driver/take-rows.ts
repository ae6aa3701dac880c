import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { Batch } from './batch.ts';
import { RowBytes } from './row-bytes.ts';

/** What of the driver is used and not in its types. */
interface Driver {
  readonly connection: {
    /** Begins to read from a socket: called once, after TLS where there is any. */
    attachListeners(socket: EventEmitter): void;
  };
  _getActiveQuery(): unknown;
}

/** Of a message: its kind, and its length, in which the kind is not counted. */
const HEAD_BYTES = 5;
const DATA_ROW = 0x44;
const COMMAND_COMPLETE = 0x43;
const BIND_COMPLETE = 0x32;

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Gives the rows of batches to them as bytes, and every other message to the driver, which would make an object,
 * texts and two events of each row. To be called before the client connects.
 */
export function takeRows(client: pg.Client): void {
  const driver = client as unknown as Driver;
  const { connection } = driver;
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (socket) => {
    const messages = new EventEmitter();
    attach(messages);
    const take = messageTaker(driver, (message) => messages.emit('data', message));
    socket.on('data', (bytes: Buffer) => {
      try {
        take(bytes);
      } catch (error) {
        // What follows can't be told apart any more: whoever waits on this connection fails, and it is made anew.
        (socket as Duplex).destroy(error as Error);
      }
    });
    socket.on('end', () => messages.emit('end'));
  };
}

/** Takes what comes from the server, piece by piece, and passes on whole messages. */
function messageTaker(driver: Driver, pass: (message: Buffer) => void): (piece: Buffer) => void {
  const row = new RowBytes();
  let rest = NOTHING;
  const activeBatch = () => {
    const query = driver._getActiveQuery();
    return query instanceof Batch ? query : null;
  };
  return (piece) => {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let batch = activeBatch();
    let at = 0;
    while (at + HEAD_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      const kind = bytes[at];
      if (batch !== null && kind === DATA_ROW) batch.takeRow(row.begin(bytes, at + HEAD_BYTES));
      else if (batch !== null && kind === COMMAND_COMPLETE) batch.takeEnd();
      else if (batch === null || kind !== BIND_COMPLETE) {
        pass(bytes.subarray(at, end));
        batch = activeBatch();
      }
      at = end;
    }
    rest = at === bytes.length ? NOTHING : bytes.subarray(at);
  };
}
