import { createReadStream } from 'node:fs';

const PIECE_BYTES = 65_536;

/**
 * The bytes of a file, or of standard input for "-". The file is opened by the first read: an error before it, while for example a
 * database is opened, would reach no reader and end the process with a stack trace.
 */
export async function* readInput(file: string): AsyncGenerator<Buffer, void, undefined> {
  yield* file === '-' ? process.stdin : createReadStream(file, { highWaterMark: PIECE_BYTES });
}
