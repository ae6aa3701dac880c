import {
  asUtf8,
  type FileText,
  type OtherKind,
  readSample,
  SAMPLE_BYTES,
} from '../../client/reconcile/file-sample.ts';
import type { FileTable } from '../../client/reconcile/file-table.ts';

export interface ChosenFile extends FileTable, FileText {
  name: string;
  blob: Blob;
}

export class WrongFile extends Error {
  readonly kind: OtherKind | 'empty' | 'one_column' | 'only_header';

  constructor(kind: WrongFile['kind']) {
    super(kind);
    this.kind = kind;
  }
}

/** Throws: WrongFile. */
export async function openFile(file: Blob & { name: string }): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const { kind, table, ...text } = readSample(bytes, file.size > bytes.length);
  if (kind !== undefined) throw new WrongFile(kind);
  if (table === undefined) throw new WrongFile('one_column');
  if (table.rows.length === 0) throw new WrongFile('only_header');
  return { name: file.name, blob: file, ...text, ...table };
}

export const utf8Of = (file: ChosenFile): AsyncGenerator<Uint8Array> => asUtf8(piecesOf(file.blob), file);

/** Uses a reader, because not every browser can iterate over streams. */
async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader();
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
