export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are read
  body: any;
}

export interface Sent {
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** In place of the operator's key. */
  key?: string;
  body?: unknown;
  /** A body that is sent unchanged. */
  text?: string;
  headers?: Record<string, string>;
}

/** Happens while a command of the operator works. */
export type Beside = () => Promise<void>;

/** The service on a database, with the commands of its operator. */
export interface Deployment {
  /** The clock of the service. */
  now(): number;
  setClock(offsetMs: number): Promise<void>;
  /** Sends a request; undefined if the connection was lost. */
  sendPublic(url: string, sent: Sent & { key: string }): Promise<Answer | undefined>;
  sendOperator(url: string, sent: Sent): Promise<Answer | undefined>;
  /** Imports a CSV file. Returns whether it was recorded, and otherwise why not. */
  importCsv(csv: string): Promise<true | string>;
  /** Archives an account. Returns the lines of the files. */
  archive(account: string, before: string, beside: Beside): Promise<string[]>;
  /** Erases an account. Returns whether there was something. */
  erase(account: string, beside: Beside): Promise<boolean>;
  /** Moves to a copy of the database. */
  copy(beside: Beside): Promise<void>;
  backUp(): Promise<() => Promise<void>>;
  /** Ends the service without warning, and starts it again. */
  restart(): Promise<void>;
  /** Returns when every instance knows which keys have ended. */
  untilKeysAreKnown(): Promise<void>;
  /** What `verify` reports. */
  verify(): Promise<unknown[]>;
  close(): Promise<void>;
}
