import { quote } from '../../../values/quote.ts';
import { type CsvHeader, csvFields, readCsv } from '../../../values/read-csv.ts';
import { type SourceLine, UnreadableSource } from '../../../values/source-line.ts';
import { PENDING } from '../../../values/status.ts';
import {
  insertAll,
  openTemporaryDatabase,
  orStagingFailed,
} from '../../../values/terminal/temporary-database.ts';
import type { FormattedChange } from '../../ledger/changes/change.ts';
import { sealedText } from '../../ledger/seals/seal.ts';
import { ARCHIVE_HEADERS } from '../archive/archive.ts';
import type { ArchivedChanges, SealedChange } from '../compare-seals.ts';

const CREATE_TABLE = `CREATE TABLE changes (
  account TEXT NOT NULL, sequence INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (account, sequence)
) STRICT, WITHOUT ROWID`;

const HEADER: CsvHeader = {
  expected: ARCHIVE_HEADERS.usual.trimEnd(),
  read(text) {
    if (Object.values(ARCHIVE_HEADERS).some((header) => header.trimEnd() === text))
      return { delimiter: ',', columns: csvFields(text, ',') ?? [] };
    throw new UnreadableSource('its first line is not the header of an archive.');
  },
};

/** Archive files are sorted by createdAt, but seals need the changes in the order of sequence numbers. */
export class StagedChanges implements ArchivedChanges {
  readonly #db = openTemporaryDatabase(CREATE_TABLE);

  async add(file: AsyncIterable<Uint8Array>): Promise<void> {
    const insert = this.#db.prepare(
      'INSERT OR IGNORE INTO changes (account, sequence, id, text) VALUES (?, ?, ?, ?)',
    );
    const find = this.#db.prepare('SELECT text FROM changes WHERE account = ? AND sequence = ?');
    for await (const lines of readCsv(file, HEADER)) {
      const known: ArchivedChange[] = [];
      insertAll(this.#db, lines.flatMap(changesOfLine), (change) => {
        const { account, sequence, id, text } = change;
        if (insert.run(account, sequence, id, text).changes === 0) known.push(change);
      });
      for (const { account, sequence, text } of known)
        if (find.get(account, sequence)?.['text'] !== text)
          throw new UnreadableSource(
            `another file has another change ${sequence} of the account ${quote(account)}. Put the files from before the erasure of an account into a folder of their own.`,
          );
    }
  }

  read(account: string, after: number, upTo: number): SealedChange[] {
    const read = this.#db.prepare(
      'SELECT sequence, id, text FROM changes WHERE account = ? AND sequence > ? AND sequence <= ? ORDER BY sequence',
    );
    return orStagingFailed(() => read.all(account, after, upTo)) as unknown as SealedChange[];
  }

  close(): void {
    this.#db.close();
  }
}

type ArchivedChange = SealedChange & { account: string };
type Cells = Readonly<Record<string, string | null>>;

function changesOfLine(source: SourceLine): ArchivedChange[] {
  if (!('record' in source)) throw new UnreadableSource(`line ${source.line} ${source.fault}.`);
  const cells = source.record as Cells;
  const change = (kind: 'pending' | 'final', previousStatus: string | null, shown: Cells) => {
    const sequence = cells[`${kind}Sequence`];
    if (sequence === null) return [];
    const [id, recordedAt] = [cells[`${kind}Id`], cells[`${kind}RecordedAt`]];
    const numbered = { account: String(cells['account']), sequence: Number(sequence), id: String(id) };
    const formatted = { ...numbered, recordedAt, previousStatus, transaction: { ...cells, ...shown } };
    return [{ ...numbered, text: sealedText(formatted as unknown as FormattedChange) }];
  };
  return [
    ...change('pending', null, { status: PENDING, paidAt: null }),
    ...change('final', cells['pendingSequence'] === null ? null : PENDING, {}),
  ];
}
