import { csvFields } from '../../src/values/read-csv.ts';

/** A file that is chosen, as far as it can be known without its columns. */
export interface ChosenFile {
  name: string;
  /** As TextDecoder knows it. */
  encoding: string;
  delimiter: string;
  /** The line of the header; 0 if the file has none. */
  headerLine: number;
  /** The names of its columns, or numbers in place of a header. */
  names: readonly string[];
  /** The first lines, as cells. */
  rows: readonly (readonly string[])[];
  blob: Blob;
}

/** What is no table of text. */
export class WrongFile extends Error {
  readonly kind: 'workbook' | 'pdf' | 'xml' | 'empty' | 'one_column';

  constructor(kind: WrongFile['kind']) {
    super(kind);
    this.kind = kind;
  }
}

const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_ROWS = 300;
const DELIMITERS = [',', ';', '\t'] as const;
/** A bank can write its name, the account and the days above the table. */
const MAX_LINES_ABOVE = 40;

/** Reads the beginning of a file. Throws: WrongFile. */
export async function openFile(file: Blob & { name: string }): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const encoding = encodingOf(bytes, file.size > bytes.length);
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.startsWith('PK\u0003\u0004')) throw new WrongFile('workbook');
  if (text.startsWith('%PDF')) throw new WrongFile('pdf');
  if (/^\s*<\?xml/.test(text)) throw new WrongFile('xml');
  const lines = text.split(/\r?\n/);
  // The last line of the sample can be cut.
  if (file.size > bytes.length) lines.pop();
  if (lines.every((line) => line.trim() === '')) throw new WrongFile('empty');
  return { name: file.name, encoding, blob: file, ...tableOf(lines) };
}

/** Most files are UTF-8. Spreadsheets also write UTF-16, and banks the code page of Windows. */
function encodingOf(bytes: Uint8Array, isCut: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    // A character at the end can be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function tableOf(lines: readonly string[]): Pick<ChosenFile, 'delimiter' | 'headerLine' | 'names' | 'rows'> {
  const [best] = DELIMITERS.map((delimiter) => {
    const rows = lines.map((line) => (line.trim() === '' ? [] : (csvFields(line, delimiter) ?? [])));
    const width = commonWidth(rows);
    return { delimiter, rows, width, fitting: rows.filter((row) => row.length === width).length };
  }).sort((one, other) => Number(other.width > 1) - Number(one.width > 1) || other.fitting - one.fitting);
  const { delimiter, rows, width } = best as NonNullable<typeof best>;
  if (width < 2) throw new WrongFile('one_column');
  const first = Math.max(
    0,
    rows.slice(0, MAX_LINES_ABOVE).findIndex((row) => row.length === width),
  );
  const header = rows[first] as string[];
  const hasHeader =
    header.filter((cell) => cell !== '').length > 1 &&
    !header.some((cell) => /^[\s\d.,:/+-]*\d[\s\d.,:/+-]*$/.test(cell));
  return {
    delimiter,
    headerLine: hasHeader ? first + 1 : 0,
    names: hasHeader ? header.map((name) => name.trim()) : header.map((_, index) => String(index + 1)),
    rows: rows
      .slice(hasHeader ? first + 1 : 0)
      .filter((row) => row.length === width)
      .slice(0, SAMPLE_ROWS),
  };
}

/** How many cells most rows have. */
function commonWidth(rows: readonly (readonly string[])[]): number {
  const counts = Map.groupBy(
    rows.filter((row) => row.length > 1),
    (row) => row.length,
  );
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? 1;
}

/** The bytes of a file as UTF-8. */
export async function* utf8Of({ blob, encoding }: ChosenFile): AsyncGenerator<Uint8Array> {
  let stream: ReadableStream<Uint8Array> = blob.stream();
  if (encoding !== 'utf-8')
    stream = stream
      .pipeThrough(new TextDecoderStream(encoding) as never)
      .pipeThrough(new TextEncoderStream());
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
