import { type FileTable, tableOf } from './file-table.ts';

export const SAMPLE_BYTES = 256 * 1024;

export interface FileText {
  /** `ascii`: not yet known, because the sample is only ASCII. */
  encoding: 'ascii' | 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  endsWithCr: boolean;
}

export type OtherKind = 'workbook' | 'pdf' | 'xml' | 'mt940' | 'ofx' | 'qif' | 'archive' | 'binary';

interface FileSample extends FileText {
  kind: OtherKind | 'empty' | undefined;
  table: FileTable | undefined;
}

export function readSample(bytes: Uint8Array, isCut: boolean): FileSample {
  const encoding = encodingOf(bytes, isCut);
  const text = new TextDecoder(encoding).decode(bytes);
  const endsWithCr = !text.includes('\n') && text.includes('\r');
  const lines = text.split(endsWithCr ? '\r' : /\r?\n/);
  if (isCut) lines.pop();
  const isEmpty = lines.every((line) => line.trim() === '');
  const kind = otherKindOf(bytes, text) ?? (isEmpty ? 'empty' : undefined);
  return { encoding, endsWithCr, kind, table: tableOf(lines) };
}

const BEGINNINGS: readonly (readonly [OtherKind, RegExp])[] = [
  ['pdf', /^%PDF/],
  ['xml', /^\s*<(?:\?xml|Document|!DOCTYPE|html)\b/i],
  ['mt940', /^\s*(?:\{1:|:20:)/],
  ['ofx', /^\s*(?:OFXHEADER|<OFX>)/],
  ['qif', /^\s*!(?:Type|Account|Option):/],
  ['binary', /\0/],
];

function otherKindOf(bytes: Uint8Array, text: string): OtherKind | undefined {
  const hasBytes = (...first: number[]) => first.every((byte, index) => bytes[index] === byte);
  if (hasBytes(0x50, 0x4b, 3, 4) || hasBytes(0xd0, 0xcf, 0x11, 0xe0)) return 'workbook';
  if (hasBytes(0x1f, 0x8b)) return 'archive';
  return BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0];
}

function encodingOf(bytes: Uint8Array, isCut: boolean): FileText['encoding'] {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Recognises UTF-16 without a byte order mark: in a Latin text, every second byte is 0.
  if (first !== 0 && second === 0 && bytes[3] === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && bytes[2] === 0) return 'utf-16be';
  if (isAscii(bytes)) return 'ascii';
  return isUtf8(bytes, isCut) ? 'utf-8' : 'windows-1252';
}

const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80);

function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

const [LF, CR] = [0x0a, 0x0d];

export async function* asUtf8(
  pieces: AsyncIterable<Uint8Array>,
  { encoding, endsWithCr }: FileText,
): AsyncGenerator<Uint8Array, undefined> {
  let known = encoding;
  let decoder: TextDecoder | undefined;
  const encoder = new TextEncoder();
  const encoded = (text: string) => encoder.encode(endsWithCr ? text.replaceAll('\r', '\n') : text);
  for await (const piece of pieces) {
    if (known === 'ascii' && !isAscii(piece)) known = isUtf8(piece, true) ? 'utf-8' : 'windows-1252';
    if (known === 'ascii' || known === 'utf-8') {
      yield endsWithCr ? piece.map((byte) => (byte === CR ? LF : byte)) : piece;
    } else {
      decoder ??= new TextDecoder(known);
      yield encoded(decoder.decode(piece, { stream: true }));
    }
  }
  if (decoder !== undefined) yield encoded(decoder.decode());
  return undefined;
}
