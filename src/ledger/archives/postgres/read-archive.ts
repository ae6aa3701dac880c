import { type Connections, statement } from '../../../db/postgres/driver/index.ts';
import { type ArchiveReader, type ArchiveRow, archiveOf, READ_ARCHIVE } from '../archive.ts';

export function archiveReader(primary: Connections): ArchiveReader {
  const read = statement(READ_ARCHIVE);
  return {
    readArchive: async (account) => {
      const [row] = await primary.query<ArchiveRow>(read, [account]);
      return row && archiveOf(row);
    },
  };
}
