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

export interface ArchiveOptions {
  before: string;
  /** The name of a folder for the files: an archive that was interrupted is completed in the same one. */
  folder: string;
}

/** Happens while a command of the operator works. Throws: Interrupted, and the command ends where it is. */
export type Beside = () => Promise<void>;

/** The service on a database, with the commands of its operator. */
export interface Deployment {
  /** Whether nothing but what is sent happens: a command is between two of its steps while something else does. */
  readonly isExact: boolean;
  /** The clock of the service. */
  now(): number;
  /** The clock of an import. */
  commandNow(): number;
  setClock(offsetMs: number): Promise<void>;
  /** Sends a request; undefined if the connection was lost. */
  sendPublic(url: string, sent: Sent & { key: string }): Promise<Answer | undefined>;
  sendOperator(url: string, sent: Sent): Promise<Answer | undefined>;
  /** Imports a CSV file. Returns whether it was recorded, and otherwise why not. */
  importCsv(csv: string): Promise<true | string>;
  /** Archives an account. Returns the lines of the files in the folder. */
  archive(account: string, options: ArchiveOptions, beside: Beside): Promise<string[]>;
  /** Erases an account. Returns whether there was something. */
  erase(account: string, beside: Beside): Promise<boolean>;
  /** Moves to a copy of the database. */
  copy(beside: Beside): Promise<void>;
  backUp(): Promise<() => Promise<void>>;
  /** Ends the service without warning, and starts it again. */
  restart(): Promise<void>;
  /** Ends it without warning while it works, until it is restarted. */
  kill?(): Promise<void>;
  /** Suspends the service for longer than what it knows and holds lasts. Something is sent to it meanwhile. */
  pause(send: () => Promise<void>): Promise<void>;
  /** Returns when every instance knows which keys have ended. */
  untilKeysAreKnown(): Promise<void>;
  /** What `verify` reports. */
  verify(): Promise<unknown[]>;
  close(): Promise<void>;
}
