import pg from 'pg';
import type { Db, Turn } from '../db.ts';
import type { Dialect, RowsOf, Statement, Step, Value, Values } from '../statement.ts';
import { type Numbered, numbered, readRows } from '../statement-text.ts';
import { DATABASE_NOW_MS } from './database-clock.ts';
import { type ReadStatement, readStatement, type TxStep } from './driver/index.ts';
import type { StoreConnections } from './store-connections.ts';
import { selectOfAccount, setAccount, type Topology } from './topology.ts';

export type Use = 'read' | 'write';

const DIALECT_OF = { 'one server': 'server', cluster: 'cluster' } as const satisfies Record<
  Topology,
  Dialect
>;

/** The database on the connections of one server. */
export function postgresDb(
  { requests, background }: Pick<StoreConnections, 'requests' | 'background'>,
  topology: Topology,
): Db {
  const prepare = preparer(topology);

  const send = async (turn: Turn, steps: readonly Step[]): Promise<unknown[][]> => {
    const sent = steps.map((step) => prepare(step, 'write'));
    const account = accountOf(steps);
    const key = account ?? keyOf(steps[0]?.statement.name ?? '');
    if (account !== undefined && topology === 'cluster') {
      const results = await background.script(key, scriptOf(sent));
      return steps.map(({ statement }, index) => readRows(statement, results[index] ?? []));
    }
    const named = account === undefined ? sent : [setAccount(account), ...sent];
    // What need not be synced is background work.
    const isRequest = turn.turn === 'first' && turn.isUnsynced !== true;
    const results = isRequest ? await requests.transact(named, key) : await background.transact(key, named);
    return account === undefined ? results : results.slice(1);
  };

  const readShort = ({ on }: Statement, step: TxStep) =>
    on === 'account'
      ? requests.read(step.statement, step.values)
      : requests.lookUp(step.statement, step.values);

  const readLong = async (statement: Statement, step: TxStep): Promise<unknown[]> => {
    const { name, on } = statement;
    if (on === 'account') return background.read(step.statement, step.values);
    if (topology === 'one server') return background.read(step.statement, step.values, keyOf(name));
    // Citus has no plan with parameters of a statement that reads every shard.
    const [rows = []] = await background.script(keyOf(name), scriptOf([step]));
    return readRows(statement, rows);
  };

  const isSent = ({ statement }: Pick<Step, 'statement'>) =>
    statement.texts[DIALECT_OF[topology]] !== undefined;

  return {
    read: async <Read>(statement: Statement<Read>, values: Values, length?: 'long') => {
      if (!isSent({ statement })) return [];
      const step = prepare({ statement, values }, 'read');
      const rows = await (length === 'long' ? readLong : readShort)(statement, step);
      return rows as Read[];
    },
    write: async <const Steps extends readonly Step[]>(turn: Turn, steps: Steps) => {
      const sent = steps.filter(isSent);
      const results = sent.length === 0 ? [] : await send(turn, sent);
      return steps.map((step) => (isSent(step) ? results.shift() : [])) as RowsOf<Steps>;
    },
  };
}

/** The turns of a statement that is about no account. No account has this name. */
const keyOf = (name: string) => `*${name}`;

function accountOf(steps: readonly Step[]): string | undefined {
  const own = steps.find(({ statement }) => statement.on === 'account');
  return own && String(own.values['account']);
}

interface Prepared {
  statement: ReadStatement<unknown>;
  valuesOf: Numbered['valuesOf'];
}

/** Makes the form in which a step is sent. */
function preparer(topology: Topology): (step: Step, use: Use) => TxStep {
  const prepared = { read: new WeakMap<Statement, Prepared>(), write: new WeakMap<Statement, Prepared>() };
  return ({ statement, values }, use) => {
    let known = prepared[use].get(statement);
    if (known === undefined) {
      const { text, valuesOf } = textFor(topology, statement, use);
      known = { statement: readStatement(text, statement.readRow), valuesOf };
      prepared[use].set(statement, known);
    }
    return { statement: known.statement, values: known.valuesOf(values) };
  };
}

/**
 * The account is the first value of a read, which on one server names it to the policies of the tables itself, without another round trip. `OFFSET 0`
 * keeps it apart: otherwise the plan of an empty table looks a row up by its id in the whole index.
 */
export function textFor(topology: Topology, { name, on, texts }: Statement, use: Use): Numbered {
  const isNaming = on === 'account' && use === 'read' && topology === 'one server';
  const sent = numbered(name, texts[DIALECT_OF[topology]] as string, {
    databaseNowMs: DATABASE_NOW_MS,
    write: (number, parameter) => (isNaming && parameter === 'account' ? 'caller.account' : `$${number}`),
    first: on === 'account' && use === 'read' ? ['account'] : [],
  });
  return isNaming
    ? { ...sent, text: selectOfAccount(topology, 'found.*', () => `${sent.text}\nOFFSET 0`) }
    : sent;
}

/**
 * The text of steps with their values. On Citus, the statements of one message are one transaction of its workers only if they are one
 * text: otherwise the first one would release its lock.
 */
function scriptOf(steps: readonly TxStep[]): string {
  const literal = (value: Value | undefined) =>
    typeof value === 'string' ? pg.escapeLiteral(value) : String(value ?? null);
  return steps
    .map(({ statement, values }) =>
      statement.text.replaceAll(/\$(\d+)/g, (_, place) => literal(values[Number(place) - 1])),
    )
    .join(';\n');
}
