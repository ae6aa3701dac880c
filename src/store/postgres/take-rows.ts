import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { Batch } from './batch.ts';
import { RowBytes } from './row-bytes.ts';

/** What of the driver is used and not in its types. */
interface Driver {
  readonly connection: { readonly stream: Duplex };
  _getActiveQuery(): unknown;
}

/** Of a message: its kind, and its length, in which the kind is not counted. */
const HEAD_BYTES = 5;
const DATA_ROW = 0x44;
const COMMAND_COMPLETE = 0x43;
const BIND_COMPLETE = 0x32;

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Gives the rows of batches to them as bytes, and everything else to the driver as before, which would make a
 * message, its texts and two events of each row.
 *
 * Throws: an error where the driver does not read its connection as it did when this was written.
 */
export function takeRows(client: pg.Client): void {
  const driver = client as unknown as Driver;
  const { stream } = driver.connection;
  const [read, ...more] = stream.listeners('data') as ((bytes: Buffer) => void)[];
  if (read === undefined || more.length > 0) throw new Error('pg reads its connection in an unknown way');
  const activeBatch = () => {
    const query = driver._getActiveQuery();
    return query instanceof Batch ? query : null;
  };
  const row = new RowBytes();
  let rest = NOTHING;
  stream.removeListener('data', read);
  stream.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let batch = activeBatch();
    let at = 0;
    try {
      while (at + HEAD_BYTES <= bytes.length) {
        const end = at + 1 + bytes.readUInt32BE(at + 1);
        if (end > bytes.length) break;
        const kind = bytes[at];
        if (batch !== null && kind === DATA_ROW) batch.takeRow(row.begin(bytes, at + HEAD_BYTES));
        else if (batch !== null && kind === COMMAND_COMPLETE) batch.takeEnd();
        else if (batch === null || kind !== BIND_COMPLETE) {
          read(bytes.subarray(at, end));
          batch = activeBatch();
        }
        at = end;
      }
      rest = at === bytes.length ? NOTHING : bytes.subarray(at);
    } catch (error) {
      // What follows can't be told apart any more: whoever waits on this connection fails, and it is made anew.
      stream.destroy(error as Error);
    }
  });
}
