import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;
/** The length of a page's header by the type of the page. Source: the SQLite file format. */
const HEADER_BYTES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
const FILE_HEADER_BYTES = 100;

/** Leaves out the free space in each page, because SQLite leaves copies of moved cells there. */
export function textOfPages(path: string): string {
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    const header = at === 0 ? FILE_HEADER_BYTES : at;
    const headerBytes = HEADER_BYTES[bytes[header] ?? 0];
    if (headerBytes === undefined) continue;
    const cells = header + headerBytes + 2 * bytes.readUInt16BE(header + 3);
    bytes.fill(0, cells, at + (bytes.readUInt16BE(header + 5) || 65_536));
  }
  return bytes.toString('latin1');
}
