import { arrayText, type BackgroundConnections } from '../../../db/postgres/driver/index.ts';
import { sentStatement } from '../../../db/postgres/sent-statement.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { statementsOf } from '../../../db/statement.ts';
import type { AccountWatching } from '../watched-accounts.ts';

/** The turns of these statements among the background work: no account has this name. */
const WATCHING = '*watching';

const written = statementsOf(new URL('./watched-accounts.sql', import.meta.url));

export const READ_HEADS = sentStatement(
  written('readHeads', (row): [account: string, headSequence: number] => [row.text(), row.integer()]),
);
const WATCH = sentStatement(written('watch'));
const LIST = sentStatement(
  written('listMoved', (row) => ({
    mark: row.text(),
    isEarlier: row.integer() === 1,
    accounts: JSON.parse(row.text()) as string[],
  })),
);

/** The workers of a cluster number their transactions each for itself: there, any account may have moved. */
export function accountWatching(background: BackgroundConnections, topology: Topology): AccountWatching {
  return {
    listMovedAccounts: async (mark) => {
      if (topology === 'cluster') return { mark: null, accounts: null };
      const [[read]] = await background.transact(WATCHING, [
        { statement: LIST, values: LIST.valuesOf({ mark }) },
      ]);
      if (read === undefined) throw new Error('a statement without a table returned no row');
      return { mark: read.mark, accounts: mark === null || read.isEarlier ? null : read.accounts };
    },
    watchAccounts: async (accounts) => {
      if (topology === 'one server')
        await background.transact(WATCHING, [
          { statement: WATCH, values: WATCH.valuesOf({ accounts: arrayText(accounts) }) },
        ]);
    },
  };
}
