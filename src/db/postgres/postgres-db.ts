import type { Db, Turn } from '../db.ts';
import type { RowsOf, Statement, Step, Values } from '../statement.ts';
import { readRows } from '../statement-text.ts';
import type { TxStep } from './driver/index.ts';
import { type SentStatement, scriptOf, sentForAccount, sentStatement } from './sent-statement.ts';
import type { StoreConnections } from './store-connections.ts';
import { setAccount, type Topology } from './topology.ts';

export function postgresDb(
  { requests, background }: Pick<StoreConnections, 'requests' | 'background'>,
  topology: Topology,
): Db {
  const prepare = preparer(topology);

  const send = async (turn: Turn, steps: readonly Step[]): Promise<unknown[][]> => {
    const account = accountOf(steps);
    const key = account ?? keyOf(steps[0]?.statement.name ?? '');
    const isUrgent = turn.turn === 'first' && turn.isUnsynced !== true;
    // A script has no parameters, because Citus can't plan them in a statement over all shards.
    if (topology === 'cluster' && (account !== undefined || !isUrgent)) {
      const results = await background.script(key, scriptOfSteps(steps));
      return steps.map(({ statement }, index) => readRows(statement, results[index] ?? []));
    }
    const sent = steps.map((step) => prepare(step, 'write'));
    const named = account === undefined ? sent : [setAccount(account), ...sent];
    const results = isUrgent ? await requests.transact(named, key) : await background.transact(key, named);
    return account === undefined ? results : results.slice(1);
  };

  const readShort = (statement: Statement, values: Values) => {
    const sent = prepare({ statement, values }, 'read');
    return statement.on === 'account'
      ? requests.read(sent.statement, sent.values)
      : requests.lookUp(sent.statement, sent.values);
  };

  const readLong = async (statement: Statement, values: Values): Promise<unknown[]> => {
    const { name, on } = statement;
    const sent = prepare({ statement, values }, 'read');
    if (on === 'account') return background.read(sent.statement, sent.values);
    if (topology === 'one server') return background.read(sent.statement, sent.values, keyOf(name));
    const [rows = []] = await background.script(keyOf(name), scriptOf(statement, values));
    return readRows(statement, rows);
  };

  const isSent = ({ statement: { texts } }: Pick<Step, 'statement'>) =>
    (topology === 'cluster' ? texts.cluster : texts.server) !== undefined;

  return {
    read: async <Read>(statement: Statement<Read>, values: Values, length?: 'long') => {
      if (!isSent({ statement })) return [];
      const rows = await (length === 'long' ? readLong : readShort)(statement, values);
      return rows as Read[];
    },
    write: async <const Steps extends readonly Step[]>(turn: Turn, steps: Steps) => {
      const sent = steps.filter(isSent);
      const results = sent.length === 0 ? [] : await send(turn, sent);
      return steps.map((step) => (isSent(step) ? results.shift() : [])) as RowsOf<Steps>;
    },
  };
}

/** Account names contain no asterisk, so this key differs from every account. */
const keyOf = (name: string) => `*${name}`;

function accountOf(steps: readonly Step[]): string | undefined {
  const own = steps.find(({ statement }) => statement.on === 'account');
  return own && String(own.values['account']);
}

function preparer(topology: Topology): (step: Step, use: 'read' | 'write') => TxStep {
  const sent = {
    read: new WeakMap<Statement, SentStatement<unknown>>(),
    write: new WeakMap<Statement, SentStatement<unknown>>(),
  };
  return ({ statement, values }, use) => {
    let known = sent[use].get(statement);
    if (known === undefined) {
      known =
        use === 'read' && statement.on === 'account'
          ? sentForAccount(topology, statement)
          : sentStatement(statement);
      sent[use].set(statement, known);
    }
    return { statement: known, values: known.valuesOf(values) };
  };
}

/** Citus runs the steps as one transaction on the workers only if they are sent as one text. */
const scriptOfSteps = (steps: readonly Step[]): string =>
  steps.map(({ statement, values }) => scriptOf(statement, values)).join(';\n');
