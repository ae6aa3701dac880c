import { UnreadableSource } from '../../../values/source-line.ts';
import { asUtf8, type OtherKind, readSample, SAMPLE_BYTES } from '../../reconcile/file-sample.ts';
import type { FileTable } from '../../reconcile/file-table.ts';

const DOWNLOAD = 'Download the month as CSV from your bank or provider.';
const OTHER_KINDS: Readonly<Record<OtherKind, string>> = {
  workbook: 'it is a workbook. Save it as CSV first: in Excel, File, Save As, CSV UTF-8.',
  pdf: `it is a PDF. ${DOWNLOAD}`,
  xml: `it is an XML file. ${DOWNLOAD}`,
  mt940: `it is a statement in the format MT940. ${DOWNLOAD}`,
  ofx: `it is an OFX file. ${DOWNLOAD}`,
  qif: `it is a QIF file. ${DOWNLOAD}`,
  binary: `it is not a text file. ${DOWNLOAD}`,
  archive: 'it is compressed. Unpack it first.',
};

export async function openTable(
  input: AsyncIterable<Buffer>,
): Promise<{ encoding: string; table: FileTable | undefined; bytes: AsyncIterable<Uint8Array> }> {
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
  const { kind, table, ...text } = readSample(Buffer.concat(first), !isWhole);
  if (kind !== undefined && kind !== 'empty') throw new UnreadableSource(OTHER_KINDS[kind]);
  const bytes = async function* () {
    yield* first;
    if (!isWhole) yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { encoding: text.encoding, table, bytes: asUtf8(bytes(), text) };
}
