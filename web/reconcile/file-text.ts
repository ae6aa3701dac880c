import {
  type FileTable,
  otherKindOf,
  SAMPLE_BYTES,
  tableOf,
} from '../../src/operate/reconcile/file-table.ts';

/** A file that is chosen, as far as it can be known without its columns. */
export interface ChosenFile extends FileTable {
  name: string;
  /** As TextDecoder knows it. */
  encoding: string;
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

/** Reads the beginning of a file. Throws: WrongFile. */
export async function openFile(file: Blob & { name: string }): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const encoding = encodingOf(bytes, file.size > bytes.length);
  const text = new TextDecoder(encoding).decode(bytes);
  const kind = otherKindOf(text);
  if (kind !== undefined) throw new WrongFile(kind);
  const lines = text.split(/\r?\n/);
  // The last line of the sample can be cut.
  if (file.size > bytes.length) lines.pop();
  if (lines.every((line) => line.trim() === '')) throw new WrongFile('empty');
  const table = tableOf(lines);
  if (table === undefined) throw new WrongFile('one_column');
  return { name: file.name, encoding, blob: file, ...table };
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
