import type { Turns } from '../../../values/background-turns.ts';
import { FairSlots } from '../../../values/fair-slots.ts';

const MAX_IN_FLIGHT = 512;
/** For endpoints that are slow, or that already have an attempt in flight. */
const SHARED_SLOTS = MAX_IN_FLIGHT / 2;
/** When SHARED_SLOTS has no room, endpoints whose speed is not known yet can use this many more slots. */
const UNKNOWN_SLOTS = 192;
const SHARED_FIRST_EVERY = 4;
/** How many attempts begin in one turn of the event loop. */
const BUSY_STARTS = 1;
const IDLE_STARTS = 8;
const MAX_READS = 4;

interface Reading {
  readonly endpoint: { readonly account: string };
}

export interface Attempting extends Reading {
  readonly inFlight: number;
  readonly isQuick: boolean | null;
  /** Returns undefined if the endpoint no longer needs an attempt. The promise never rejects. */
  startAttempt(): Promise<void> | undefined;
}

const accountOf = ({ endpoint }: Attempting) => endpoint.account;

class WaitingEndpoints {
  readonly #byAccount = new Map<string, Set<Attempting>>();

  has(endpoint: Attempting): boolean {
    return this.#byAccount.get(accountOf(endpoint))?.has(endpoint) ?? false;
  }

  add(endpoint: Attempting): void {
    const account = accountOf(endpoint);
    const endpoints = this.#byAccount.get(account);
    if (endpoints === undefined) this.#byAccount.set(account, new Set([endpoint]));
    else endpoints.add(endpoint);
  }

  remove(endpoint: Attempting): void {
    const account = accountOf(endpoint);
    const endpoints = this.#byAccount.get(account);
    if (endpoints?.delete(endpoint) && endpoints.size === 0) this.#byAccount.delete(account);
  }

  moveBack(account: string): void {
    const endpoints = this.#byAccount.get(account);
    if (endpoints === undefined) return;
    this.#byAccount.delete(account);
    this.#byAccount.set(account, endpoints);
  }

  next(mayBegin: (account: string) => boolean): Attempting | undefined {
    for (const [account, [endpoint]] of this.#byAccount) if (mayBegin(account)) return endpoint;
    return undefined;
  }
}

export class AttemptSlots {
  readonly #turns: Turns;
  readonly #quick = new WaitingEndpoints();
  readonly #unknown = new WaitingEndpoints();
  readonly #others = new WaitingEndpoints();
  readonly #shared = new FairSlots(SHARED_SLOTS);
  #unknownInFlight = 0;
  #started = 0;
  #inFlight = 0;
  #isRunning = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  request(endpoint: Attempting): void {
    const waiting = this.#waitingOf(endpoint);
    if (!waiting.has(endpoint)) this.forget(endpoint);
    waiting.add(endpoint);
    this.#wake();
  }

  #waitingOf({ inFlight, isQuick }: Attempting): WaitingEndpoints {
    if (inFlight > 0 || isQuick === false) return this.#others;
    return isQuick === null ? this.#unknown : this.#quick;
  }

  forget(endpoint: Attempting): void {
    for (const waiting of [this.#quick, this.#unknown, this.#others]) waiting.remove(endpoint);
  }

  #wake(): void {
    if (!this.#isRunning && this.#next() !== undefined) void this.#run();
  }

  #next(): Attempting | undefined {
    if (this.#inFlight >= MAX_IN_FLIGHT) return undefined;
    const isTurnOfShared = this.#started % SHARED_FIRST_EVERY === 0;
    return (
      (isTurnOfShared ? this.#nextShared() : undefined) ?? this.#quick.next(() => true) ?? this.#nextShared()
    );
  }

  #nextShared(): Attempting | undefined {
    const isFull = this.#shared.taken === SHARED_SLOTS;
    const hasRoom = (account: string) => this.#shared.hasRoomFor(account);
    if (this.#unknownInFlight < UNKNOWN_SLOTS)
      return this.#unknown.next(() => true) ?? (isFull ? undefined : this.#others.next(hasRoom));
    return isFull ? undefined : (this.#unknown.next(hasRoom) ?? this.#others.next(hasRoom));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#next() !== undefined) {
      await this.#turns.next();
      this.#startSome(this.#turns.isBusy ? BUSY_STARTS : IDLE_STARTS);
    }
    this.#isRunning = false;
  }

  #startSome(count: number): void {
    for (let started = 0; started < count; ) {
      const endpoint = this.#next();
      if (endpoint === undefined) return;
      if (this.#start(endpoint)) started++;
    }
  }

  #start(endpoint: Attempting): boolean {
    const account = accountOf(endpoint);
    const waiting = [this.#quick, this.#unknown, this.#others].find((one) => one.has(endpoint));
    const isUnknown = waiting === this.#unknown && !this.#shared.hasRoomFor(account);
    const isShared = waiting !== this.#quick && !isUnknown;
    this.forget(endpoint);
    waiting?.moveBack(account);
    const attempt = endpoint.startAttempt();
    if (attempt === undefined) return false;
    this.#started++;
    this.#inFlight++;
    if (isShared) this.#shared.take(account);
    if (isUnknown) this.#unknownInFlight++;
    void attempt.then(() => {
      this.#inFlight--;
      if (isShared) this.#shared.giveBack(account);
      if (isUnknown) this.#unknownInFlight--;
      this.#wake();
    });
    return true;
  }
}

/** Each node of the database has a queue, so a node that does not respond delays only its own accounts. */
export class ReadQueue {
  readonly #turns: Turns;
  readonly #nodeOf: (account: string) => string;
  readonly #waiting = new Map<string, Map<Reading, () => Promise<void>>>();
  readonly #running = new Map<string, number>();

  constructor(turns: Turns, nodeOf: (account: string) => string) {
    this.#turns = turns;
    this.#nodeOf = nodeOf;
  }

  /** `read` must never reject. */
  request(owner: Reading, read: () => Promise<void>): void {
    const node = this.#nodeOf(owner.endpoint.account);
    const waiting = this.#waiting.get(node) ?? new Map<Reading, () => Promise<void>>();
    this.#waiting.set(node, waiting);
    if (!waiting.has(owner)) waiting.set(owner, read);
    if ((this.#running.get(node) ?? 0) < MAX_READS) void this.#run(node, waiting);
  }

  forget(owner: Reading): void {
    for (const waiting of this.#waiting.values()) waiting.delete(owner);
  }

  async #run(node: string, waiting: Map<Reading, () => Promise<void>>): Promise<void> {
    this.#running.set(node, (this.#running.get(node) ?? 0) + 1);
    while (waiting.size > 0) {
      await this.#turns.next();
      const [next] = waiting;
      if (next === undefined) break;
      const [owner, read] = next;
      waiting.delete(owner);
      await read();
    }
    this.#running.set(node, (this.#running.get(node) as number) - 1);
  }
}
