import { FileParts } from './file-parts.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export class ZipFile {
  readonly #path: Bytes;
  readonly #parts = new FileParts('');
  readonly #writer: WritableStreamDefaultWriter<Bytes>;
  readonly #written: Promise<void>;
  #crc = -1;
  #size = 0;

  constructor(path: string) {
    const { readable, writable } = new CompressionStream('deflate-raw');
    this.#path = encode(path);
    this.#writer = writable.getWriter();
    this.#written = readable.pipeTo(new WritableStream({ write: (bytes) => this.#parts.add(bytes) }));
  }

  write(text: string): void {
    const bytes = encode(text);
    for (const byte of bytes) this.#crc = (CRC[(this.#crc ^ byte) & 255] as number) ^ (this.#crc >>> 8);
    this.#size += bytes.length;
    // A failure to write is thrown by `end`.
    this.#writer.write(bytes).catch(() => {});
  }

  async end(): Promise<Entry> {
    await this.#writer.close();
    await this.#written;
    const content = this.#parts.content();
    // In order: version, flags, method, time, date, checksum, compressed size and size.
    const fields = [2, 20, 2, 0, 2, 8, 2, 0, 2, 33, 4, ~this.#crc, 4, content.size, 4, this.#size];
    return { path: this.#path, fields: [...fields, 2, this.#path.length, 2, 0], content };
  }
}

interface Entry {
  path: Bytes;
  /** Pairs of numbers: a width in bytes and a value. */
  fields: readonly number[];
  content: Blob;
}

/** Source: APPNOTE.TXT 6.3.10 of PKWARE. */
export async function zip(files: readonly ZipFile[], type: string): Promise<Blob> {
  const parts: (Blob | Bytes)[] = [];
  const directory: (Blob | Bytes)[] = [];
  let offset = 0;
  for (const { path, fields, content } of await Promise.all(files.map((file) => file.end()))) {
    const header = new Blob([numbers(4, 0x04034b50, ...fields), path, content]);
    parts.push(header);
    directory.push(numbers(4, 0x02014b50, 2, 20, ...fields, 2, 0, 2, 0, 2, 0, 4, 0, 4, offset), path);
    offset += header.size;
  }
  const { size } = new Blob(directory);
  const counts = [2, 0, 2, 0, 2, files.length, 2, files.length];
  return new Blob([...parts, ...directory, numbers(4, 0x06054b50, ...counts, 4, size, 4, offset, 2, 0)], {
    type,
  });
}

const encode = (text: string) => new TextEncoder().encode(text);

/** Writes little-endian numbers. The arguments are pairs: the width in bytes, and the number. */
function numbers(...pairs: number[]): Bytes {
  const bytes: number[] = [];
  for (let index = 0; index < pairs.length; index += 2)
    for (let byte = 0; byte < (pairs[index] as number); byte++)
      bytes.push(((pairs[index + 1] as number) >>> (8 * byte)) & 255);
  return Uint8Array.from(bytes);
}

const CRC = Int32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
