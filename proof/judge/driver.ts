import type { Answer, Sent } from './http.ts';
import { send } from './http.ts';

/** One process of the service. */
export interface Instance {
  url: string;
  operatorUrl: string;
  /** How far its clock is ahead. */
  aheadMs: number;
}

/** A request to a receiver of webhooks. */
export interface Received {
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** Answers with a status, or without one closes the connection. */
export type Receive = (received: Received) => Promise<number | undefined>;

/** A running service, and the time that passes for it. */
export interface Driver {
  /** A short description of the service for people. */
  readonly name: string;
  readonly operatorKey: string;
  running(): Instance[];
  send(url: string, sent: Sent): Promise<Answer>;
  /**
   * The longest time for which a request is refused as unavailable while a database is killed, started or
   * moved, on a busy machine.
   */
  readonly patienceMs: number;
  /** A clock that never jumps. */
  nowMs(): number;
  /** The right time, in milliseconds since 1970. */
  wallMs(): number;
  delay(ms: number): Promise<void>;
  /** Pauses between two steps of a worker. */
  pause(): Promise<void>;
  /** Undefined if the judge did not start the service: then it ends nothing and runs no command. */
  readonly operator?: Operator;
  /** Opens a webhook receiver that the service can reach. Returns its address, or undefined if none. */
  openInbox?(receive: Receive): Promise<string>;
  endFaults(): void;
  close(): Promise<void>;
}

/**
 * How an archive ended: `archived` with the files of the folder; `outstanding` if changes must be delivered
 * first; `interrupted` if it was killed; `failed` with a message for people.
 */
export type ArchiveEnd =
  | { end: 'archived'; files: ReadonlyMap<string, string> }
  | { end: 'outstanding' }
  | { end: 'interrupted' }
  | { end: 'failed'; text: string };

/** Actions of the operator on the machine, and failures of the machine. */
export interface Operator {
  readonly instances: number;
  readonly setsClocks: boolean;
  restartInstance(index: number): Promise<void>;
  suspendInstance(index: number, ms: number): Promise<void>;
  restartDatabase(): Promise<void>;
  setClock(index: number, aheadMs: number): Promise<void>;
  backUp(): Promise<void>;
  /** Restores the backup, and runs an action while nothing else runs. */
  restore(whileDown: () => void): Promise<void>;
  /** Moves old transactions to files in a folder. It can be killed before it ends. */
  archive(account: string, folder: string, before: string, isKilled: boolean): Promise<ArchiveEnd>;
  erase(account: string): Promise<string | undefined>;
  /** Moves the service to its other database. Returns a message for people if it failed. */
  copy(isKilled: boolean): Promise<string | undefined>;
  /** Imports lines of NDJSON. Returns true if they were recorded. */
  importLines(ndjson: string): Promise<boolean>;
  makeOperatorKey(scopes: string): Promise<{ id: string; key: string }>;
  revokeKey(id: string): Promise<void>;
  /** Returns a message for people unless everything agrees. */
  verify(): Promise<string | undefined>;
}

export const realTime = {
  send,
  patienceMs: 60_000,
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  delay: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  endFaults: () => {},
  pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
};

/** A service that the judge did not start. */
export const givenService = (
  addresses: { url: string; operatorUrl: string }[],
  operatorKey: string,
): Driver => ({
  ...realTime,
  name: `${addresses.length} given instances`,
  operatorKey,
  running: () => addresses.map((address) => ({ ...address, aheadMs: 0 })),
  close: async () => {},
});
