import { type FileTable, otherKindOf, SAMPLE_BYTES, tableOf } from '../../../operate/reconcile/file-table.ts';
import { UnreadableSource } from '../../../values/source-line.ts';

const OTHER_KINDS = {
  workbook: 'it is a workbook. Save it as CSV first: in Excel, File, Save As, CSV UTF-8.',
  pdf: 'it is a PDF. Download the month as CSV from your bank or provider.',
  xml: 'it is an XML file. Download the month as CSV from your bank or provider.',
};

/**
 * The table at the beginning of a file, and all bytes of the file.
 *
 * Throws: UnreadableSource if the file is no text of a table.
 */
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
  const kind = otherKindOf(text);
  if (kind !== undefined) throw new UnreadableSource(OTHER_KINDS[kind]);
  const lines = text.split(/\r?\n/);
  // The last line can be cut.
  if (!isWhole) lines.pop();
  const bytes = async function* () {
    yield* first;
    if (!isWhole) yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { table: tableOf(lines), bytes: bytes() };
}
