import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Export } from './export.ts';
import { Keys, type StoredKey } from './keys.ts';
import { Ledger } from './ledger.ts';
import type { Webhook } from './webhook.ts';

/** Whether a transaction of a status has a time of payment. `pending` may become any other status. */
export type Statuses = Map<string, 'paid' | 'unpaid'>;

export type ServiceOptions = {
  /** The key with which the operator records and creates keys. */
  operatorKey: string;
  cursorSecret?: Buffer;
  cursorLifetimeSeconds?: number;
  /** Further statuses, beside pending and completed. */
  statuses?: Record<string, 'paid' | 'unpaid'>;
  /** Requests of one key within a second; further ones are refused with 429. */
  requestsPerSecond?: number;
  /** Whether callers cannot see the limit before they reach it. */
  hidesRateLimit?: boolean;
  /** Whether webhooks are delivered to this machine, and over HTTP. */
  allowsLoopback?: boolean;
  now?: () => number;
  /** What comes before /v1 in every path. */
  basePath?: string;
};

/** Everything that the service keeps, in memory. */
export class Service {
  readonly keys = new Keys();
  readonly exports = new Map<string, Export>();
  readonly webhooks: Webhook[] = [];
  /** Texts of filters that are too long for a cursor. */
  readonly texts = new Map<string, string>();
  readonly operatorKey: string;
  readonly cursorSecret: Buffer;
  readonly cursorLifetimeMs: number;
  readonly statuses: Statuses;
  readonly requestsPerSecond: number;
  readonly hidesRateLimit: boolean;
  readonly allowsLoopback: boolean;
  readonly now: () => number;
  readonly basePath: string;
  isStopping = false;
  #ledgers = new Map<string, Ledger>();

  constructor(options: ServiceOptions) {
    this.operatorKey = options.operatorKey;
    this.cursorSecret = options.cursorSecret ?? randomBytes(32);
    this.cursorLifetimeMs = (options.cursorLifetimeSeconds ?? 86_400) * 1000;
    const further = Object.entries(options.statuses ?? {});
    this.statuses = new Map([['pending', 'unpaid'], ['completed', 'paid'], ...further]);
    this.requestsPerSecond = options.requestsPerSecond ?? 100_000;
    this.hidesRateLimit = options.hidesRateLimit ?? false;
    this.allowsLoopback = options.allowsLoopback ?? false;
    this.now = options.now ?? Date.now;
    this.basePath = options.basePath ?? '';
  }

  /** The transactions of an account. An account exists as soon as something is recorded for it. */
  ledger(account: string): Ledger {
    const ledger = this.#ledgers.get(account) ?? new Ledger();
    this.#ledgers.set(account, ledger);
    return ledger;
  }

  /** Ends all requests that wait for changes. */
  stop(): void {
    this.isStopping = true;
    for (const ledger of this.#ledgers.values()) ledger.wakeAll();
  }
}

/** A request whose key was accepted. */
export type Call = {
  service: Service;
  /** The account of the key; for the operator, the account of the path. */
  account: string;
  /** Of an account's key. */
  key?: StoredKey;
  /** The further parts of the path. */
  path: Record<string, string>;
  query: string;
  request: IncomingMessage;
  response: ServerResponse;
};

/** `body` is sent as JSON. Without an answer, the handler has sent the response itself. */
export type Answer = { status: number; body?: object; headers?: Record<string, string> };

export type Handler = (call: Call) => Answer | undefined | Promise<Answer | undefined>;
