import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';
import type { Archive, ArchiveReader } from './archive.ts';

const sql = statementsOf(new URL('./archives.sql', import.meta.url));
const READ = sql(
  'readArchive',
  (row): Archive => ({
    beforeMs: row.integer(),
    floorSequence: row.integer(),
    floorNonce: row.integer(),
    floorSeal: row.text(),
    rest: row.text(),
    removedChanges: row.integer(),
  }),
);

export const archiveReader = (db: Db): ArchiveReader => ({
  readArchive: async (account) => (await db.read(READ, { account }))[0],
});
