import { type FileTable, tableOf } from './file-table.ts';

/** How much of a file shows its table. */
export const SAMPLE_BYTES = 256 * 1024;

/** What the beginning of a file shows. */
export interface FileSample {
  /** As TextDecoder knows it. */
  encoding: string;
  /** What the file is if it is no text of a table. */
  kind: 'workbook' | 'pdf' | 'xml' | 'empty' | undefined;
  /** Undefined without columns. */
  table: FileTable | undefined;
}

/** Reads the beginning of a file; `isCut` says that it has more. */
export function readSample(bytes: Uint8Array, isCut: boolean): FileSample {
  const encoding = encodingOf(bytes, isCut);
  const text = new TextDecoder(encoding).decode(bytes);
  const lines = text.split(/\r?\n/);
  // The last line can be cut.
  if (isCut) lines.pop();
  const isEmpty = lines.every((line) => line.trim() === '');
  return { encoding, kind: otherKindOf(text) ?? (isEmpty ? 'empty' : undefined), table: tableOf(lines) };
}

function otherKindOf(text: string): 'workbook' | 'pdf' | 'xml' | undefined {
  if (text.startsWith('PK\u0003\u0004')) return 'workbook';
  if (text.startsWith('%PDF')) return 'pdf';
  return /^\s*<\?xml/.test(text) ? 'xml' : undefined;
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
export async function* asUtf8(
  pieces: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, undefined> {
  if (encoding === 'utf-8') {
    yield* pieces;
    return undefined;
  }
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(decoder.decode(piece, { stream: true }));
  yield encoder.encode(decoder.decode());
  return undefined;
}
