import { type Connections, statement } from '../../../db/postgres/driver/index.ts';
import { ARCHIVE_COLUMNS, type ArchiveReader, type ArchiveRow, archiveOf } from '../archive.ts';

export const READ_ARCHIVE = `SELECT ${ARCHIVE_COLUMNS} FROM archives WHERE account = $1`;

export function archiveReader(primary: Connections): ArchiveReader {
  const read = statement(READ_ARCHIVE);
  return {
    readArchive: async (account) => {
      const [row] = await primary.query<ArchiveRow>(read, [account]);
      return row && archiveOf(row);
    },
  };
}
