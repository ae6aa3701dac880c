import { type CopiedTable, tablesWith } from '../../../values/tables.ts';
import { readAllRecords, recordColumns } from '../stored-rows.ts';
import type { CopyContext } from './copy-context.ts';

/** Copied in this order: `webhook_failures` refers to endpoints, so `webhook_endpoints` comes first. */
export const COPIED_TABLES = tablesWith(({ copied }) => copied === 'records') as CopiedTable[];

/** `copyTables` leaves out `archives`, because `beginAccount` has copied its rows. */
const COMPARED_TABLES = [...COPIED_TABLES, 'archives'] as const;

export async function copyTables({ source, target, copied, onProgress }: CopyContext): Promise<void> {
  copied.records = 0;
  for (const table of COPIED_TABLES.toReversed())
    await target.run([{ text: `DELETE FROM ${table}`, values: [] }]);
  for (const table of COPIED_TABLES) {
    const { from, column } = target.jsonRows;
    const { columns } = recordColumns(table);
    const text = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map(column).join(', ')} FROM ${from(table)}`;
    for await (const records of readAllRecords(source, table, null)) {
      if (records.length === 0) continue;
      await target.run([{ text, values: [JSON.stringify(records)] }]);
      copied.records += records.length;
      onProgress();
    }
  }
}

export async function findDifferentTable({ source, targetReader }: CopyContext): Promise<string | undefined> {
  for (const table of COMPARED_TABLES) {
    const theirs = readAllRecords(targetReader, table, null);
    for await (const records of readAllRecords(source, table, null))
      if (JSON.stringify(records) !== JSON.stringify((await theirs.next()).value)) return table;
    if ((await theirs.next()).done !== true) return table;
  }
  return undefined;
}
