import type { Db } from '../../db/db.ts';
import { type Row, statementsOf } from '../../db/statement.ts';
import { EXPORT_LIFETIME_MS, type ExportStore } from './export.ts';
import { exportOfText, textOfExport } from './export-text.ts';

const sql = statementsOf(new URL('./exports.sql', import.meta.url));
const readId = (row: Row) => row.text();

const FIND = sql('findExport', (row) => exportOfText(row.text()));
const REMOVE_OWN = sql('removeOwn');
const CREATE = sql('createExport', readId);
const REPLACE = sql('replaceExport', readId);

const ofAll = statementsOf(new URL('./expired-exports.sql', import.meta.url));
const ALLOW_REMOVAL = ofAll('allowRemoval', readId);
const REMOVE_EXPIRED = ofAll('removeExpired');

const TURN = { turn: 'account' } as const;

export const exportStore = (db: Db): Omit<ExportStore, 'listNumbered' | 'listsOnThisThread'> => ({
  createExport: async (created, { expiredMs, perAccount }) => {
    const { account, id, startedAtMs } = created;
    const latestMs = startedAtMs + EXPORT_LIFETIME_MS;
    const [, stored] = await db.write(TURN, [
      { statement: REMOVE_OWN, values: { account, expiredMs, latestMs } },
      { statement: CREATE, values: { account, id, startedAtMs, record: textOfExport(created), perAccount } },
    ]);
    return stored.length > 0;
  },
  removeExpiredExports: async (expiredMs) => {
    const removing = [ALLOW_REMOVAL, REMOVE_EXPIRED].map((statement) => ({
      statement,
      values: { expiredMs },
    }));
    await db.write({ turn: 'stream' }, removing);
  },
  findExport: async (account, id) => (await db.read(FIND, { account, id }))[0],
  replaceExport: async (replaced) => {
    const { account, id } = replaced;
    const values = { account, id, record: textOfExport(replaced) };
    const [stored] = await db.write(TURN, [{ statement: REPLACE, values }]);
    return stored.length > 0;
  },
});
