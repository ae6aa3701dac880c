import type { Db } from '../db.ts';
import type { Statement, Step } from '../statement.ts';
import type { AccountServers } from './account-servers.ts';

/** The database of a cluster: each statement goes to the server of its account, or to the coordinator. */
export function clusterDb(servers: AccountServers<{ db: Db }>): Db {
  const dbOf = ({ statement: { on }, values }: { statement: Pick<Statement, 'on'> } & Pick<Step, 'values'>) =>
    (on === 'account' ? servers.of(String(values['account'])) : servers.shared).db;
  return {
    read: (statement, values, length) => dbOf({ statement, values }).read(statement, values, length),
    write: (turn, steps) => {
      const [first] = steps.filter(({ statement: { on } }) => on === 'account');
      return (first === undefined ? servers.shared.db : dbOf(first)).write(turn, steps);
    },
  };
}
