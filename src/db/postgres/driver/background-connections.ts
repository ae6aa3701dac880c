import type { Connection } from './connection.ts';
import { explainError } from './errors.ts';
import { KeyedConnections, type KeyedConnectionsOptions } from './keyed-connections.ts';
import type { ReadStatement, TxRows, TxStep, Value } from './statement.ts';

interface BackgroundConnectionsOptions extends Omit<KeyedConnectionsOptions, 'quickMs'> {
  timeoutMs: number;
}

export type BackgroundConnections = ReturnType<typeof backgroundConnections>;

export function backgroundConnections({ timeoutMs, ...options }: BackgroundConnectionsOptions) {
  const connections = new KeyedConnections({ quickMs: 0, ...options });
  const run = async <Result>(
    key: string,
    work: (connection: Connection, deadlineMs: number) => Promise<Result>,
  ): Promise<Result> => {
    const deadlineMs = performance.now() + timeoutMs;
    try {
      return await connections.run(key, deadlineMs, (connection) => work(connection, deadlineMs));
    } catch (error) {
      throw explainError(error);
    }
  };
  return {
    /** `key` defaults to the first value, which is the account. Throws: StoreUnavailable. */
    read: <Row>(
      statement: ReadStatement<Row>,
      values: readonly Value[],
      key = String(values[0]),
    ): Promise<Row[]> => run(key, (connection, deadlineMs) => connection.read(statement, values, deadlineMs)),
    transact: <const Steps extends readonly TxStep[]>(
      account: string,
      steps: Steps,
    ): Promise<TxRows<Steps>> =>
      run(account, (connection, deadlineMs) => connection.transact(steps, deadlineMs)),
    script: (account: string, text: string): Promise<Value[][][]> =>
      run(account, (connection, deadlineMs) => connection.script(text, deadlineMs)),
    use: () => connections.use,
    close: () => connections.close(),
  };
}
