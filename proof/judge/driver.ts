import type { Answer, Sent } from './http.ts';
import { send } from './http.ts';

export interface Instance {
  url: string;
  operatorUrl: string;
  /** How far the instance's clock is ahead of the judge's clock. */
  aheadMs: number;
}

export interface Received {
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** Returns the status of the response, or undefined to close the connection without a response. */
export type Receive = (received: Received) => Promise<number | undefined>;

export interface Driver {
  readonly name: string;
  readonly operatorKey: string;
  running(): Instance[];
  send(url: string, sent: Sent): Promise<Answer>;
  /** How long requests may fail while a database is killed, started or moved on a busy machine. */
  readonly patienceMs: number;
  nowMs(): number;
  /** In milliseconds since 1970. */
  wallMs(): number;
  delay(ms: number): Promise<void>;
  pause(): Promise<void>;
  /** Ends processes and runs commands. Undefined if the judge did not start the service. */
  readonly operator?: Operator;
  openInbox?(receive: Receive): Promise<string>;
  endFaults(): void;
  close(): Promise<void>;
}

/** `outstanding`: changes must be delivered first. `failed`: `text` says why. */
export type ArchiveEnd =
  | { end: 'archived'; files: ReadonlyMap<string, string> }
  | { end: 'outstanding' }
  | { end: 'interrupted' }
  | { end: 'failed'; text: string };

export interface Operator {
  readonly instances: number;
  readonly setsClocks: boolean;
  restartInstance(index: number): Promise<void>;
  suspendInstance(index: number, ms: number): Promise<void>;
  restartDatabase(): Promise<void>;
  setClock(index: number, aheadMs: number): Promise<void>;
  backUp(): Promise<void>;
  /** Calls `whileDown` while no instance and no database runs. */
  restore(whileDown: () => void): Promise<void>;
  archive(account: string, folder: string, before: string, isKilled: boolean): Promise<ArchiveEnd>;
  erase(account: string): Promise<string | undefined>;
  copy(isKilled: boolean): Promise<string | undefined>;
  importLines(ndjson: string): Promise<boolean>;
  makeOperatorKey(scopes: string): Promise<{ id: string; key: string }>;
  revokeKey(id: string): Promise<void>;
  /** Undefined if nothing is wrong. */
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
