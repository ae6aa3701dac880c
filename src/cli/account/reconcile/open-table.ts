import { type FileTable, SAMPLE_BYTES, tableOf } from '../../../operate/reconcile/file-table.ts';

/** The table at the beginning of a file, and all bytes of the file. */
export async function openTable(
  input: AsyncIterable<Buffer>,
): Promise<{ table: FileTable | undefined; bytes: AsyncIterable<Buffer> }> {
  const iterator = input[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  let isWhole = false;
  while (size < SAMPLE_BYTES && !isWhole) {
    const { done, value } = await iterator.next();
    if (done === true) {
      isWhole = true;
    } else {
      first.push(value);
      size += value.length;
    }
  }
  const text = new TextDecoder().decode(Buffer.concat(first));
  const lines = text.split(/\r?\n/);
  // The last line can be cut.
  if (!isWhole) lines.pop();
  const bytes = async function* () {
    yield* first;
    if (!isWhole) yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { table: tableOf(lines), bytes: bytes() };
}
