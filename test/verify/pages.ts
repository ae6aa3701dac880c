import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Random } from '../rig/run/random.ts';

/** A page of a table or index of a SQLite file, numbered from 1. */
export interface TreePage {
  tree: string;
  page: number;
  kind: 'internal' | 'leaf' | 'overflow';
}

export function treePages(path: string): TreePage[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db
    .prepare('SELECT name AS tree, pageno AS page, pagetype AS kind FROM dbstat ORDER BY name, pageno')
    .all();
  db.close();
  return rows as unknown as TreePage[];
}

/** Changes one bit in the used part of a page. Returns the place. */
export function flipBit(path: string, { page, kind }: TreePage, random: Random, pageSize = 4096): string {
  const file = openSync(path, 'r+');
  const start = (page - 1) * pageSize;
  const bytes = Buffer.alloc(pageSize);
  readSync(file, bytes, 0, pageSize, start);
  const offset = usedOffset(bytes, page === 1 ? 100 : 0, kind, random);
  const bit = random.integer(0, 7);
  writeSync(file, Buffer.of((bytes[offset] as number) ^ (1 << bit)), 0, 1, start + offset);
  closeSync(file);
  return `page ${page}, byte ${offset}, bit ${bit}`;
}

/** Source: the file format of SQLite, b-tree pages. */
function usedOffset(bytes: Buffer, header: number, kind: TreePage['kind'], random: Random): number {
  if (kind === 'overflow') return random.integer(0, bytes.length - 1);
  const cells = bytes.readUInt16BE(header + 3);
  const contentStart = bytes.readUInt16BE(header + 5) || 65_536;
  const headerEnd = header + (kind === 'leaf' ? 8 : 12) + 2 * cells;
  // The header and the pointers to cells are small, and each bit of them matters.
  return random.chance(0.2) || contentStart >= bytes.length
    ? random.integer(header, headerEnd - 1)
    : random.integer(contentStart, bytes.length - 1);
}
