import type { ConnectionUse } from '../../connection-use.ts';
import type { Connection } from './connection.ts';
import { explainError } from './errors.ts';
import { KeyedConnections, type KeyedConnectionsOptions } from './keyed-connections.ts';
import type { ReadStatement, TxRows, TxStep, Value } from './statement.ts';

interface BackgroundConnectionsOptions extends Omit<KeyedConnectionsOptions, 'quickMs'> {
  timeoutMs: number;
}

export class BackgroundConnections {
  readonly #connections: KeyedConnections;
  readonly #timeoutMs: number;

  constructor({ timeoutMs, ...options }: BackgroundConnectionsOptions) {
    this.#connections = new KeyedConnections({ quickMs: 0, ...options });
    this.#timeoutMs = timeoutMs;
  }

  /** `key` defaults to the first value, which is the account. Throws: StoreUnavailable. */
  read<Row>(
    statement: ReadStatement<Row>,
    values: readonly Value[],
    key = String(values[0]),
  ): Promise<Row[]> {
    return this.#run(key, (connection, deadlineMs) => connection.read(statement, values, deadlineMs));
  }

  transact<const Steps extends readonly TxStep[]>(account: string, steps: Steps): Promise<TxRows<Steps>> {
    return this.#run(account, (connection, deadlineMs) => connection.transact(steps, deadlineMs));
  }

  script(account: string, text: string): Promise<Value[][][]> {
    return this.#run(account, (connection, deadlineMs) => connection.script(text, deadlineMs));
  }

  async #run<Result>(
    account: string,
    work: (connection: Connection, deadlineMs: number) => Promise<Result>,
  ): Promise<Result> {
    const deadlineMs = performance.now() + this.#timeoutMs;
    try {
      return await this.#connections.run(account, deadlineMs, (connection) => work(connection, deadlineMs));
    } catch (error) {
      throw explainError(error);
    }
  }

  get use(): ConnectionUse {
    return this.#connections.use;
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}
