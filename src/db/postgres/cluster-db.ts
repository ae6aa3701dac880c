import type { Db } from '../db.ts';
import type { Statement, Step } from '../statement.ts';
import type { AccountNodes } from './account-nodes.ts';

export function clusterDb(nodes: AccountNodes<{ db: Db }>): Db {
  const dbOf = ({ statement: { on }, values }: { statement: Pick<Statement, 'on'> } & Pick<Step, 'values'>) =>
    (on === 'account' ? nodes.of(String(values['account'])) : nodes.shared).db;
  return {
    read: (statement, values, length) => dbOf({ statement, values }).read(statement, values, length),
    write: (turn, steps) => {
      const [first] = steps.filter(({ statement: { on } }) => on === 'account');
      return (first === undefined ? nodes.shared.db : dbOf(first)).write(turn, steps);
    },
  };
}
