import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';
import type { StatusReader } from './recorded-statuses.ts';

const sql = statementsOf(new URL('./recorded-statuses.sql', import.meta.url));
const LIST = sql('listRecordedStatuses', (row) => row.text());

export const statusReader = (db: Db): StatusReader => ({
  listRecordedStatuses: () => db.read(LIST, {}),
});
