import { connect, type Socket } from 'node:net';

export interface OpenLoopPlan {
  host: string;
  port: number;
  /** Whole requests of HTTP/1.1, sent in turn. */
  requests: readonly string[];
  perSecond: number;
  seconds: number;
  /** At most so many are open; a caller that finds none idle goes away, as at a proxy with a bounded pool. */
  connections: number;
  /** A caller that has waited so long gives up and closes its connection. */
  patienceMs: number;
}

export interface OpenLoopResult {
  offered: number;
  /** Answered with 200 or 201 before the caller gave up. */
  good: number;
  goodPerSecond: number;
  goodP50Ms: number;
  goodP99Ms: number;
  goodMeanMs: number;
  /** Answered with 429 or 503 and Retry-After. */
  refused: number;
  refusedP50Ms: number;
  refusedP99Ms: number;
  /** Callers that gave up while their request was on its way. */
  gaveUp: number;
  foundNoConnection: number;
  /** Any other answer, and connections that were closed or reset with a request on its way. */
  failed: number;
}

type Answered = (status: number, retryAfter: boolean) => void;

const TICK_MS = 1;

/** One connection with at most one request on its way. */
class Connection {
  readonly #socket: Socket;
  #text = '';
  #answered: Answered | undefined;

  constructor(host: string, port: number, onLost: (connection: Connection, busy: boolean) => void) {
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.setEncoding('latin1').on('data', (text: string) => this.#read(text));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => onLost(this, this.#answered !== undefined));
  }

  send(request: string, answered: Answered): void {
    this.#answered = answered;
    this.#socket.write(request, 'latin1');
  }

  /** Gives the answer up, so that nothing is told of it. */
  abandon(): void {
    this.#answered = undefined;
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    const headEnd = this.#text.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#text.slice(0, headEnd).toLowerCase();
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1]);
    if (this.#text.length < headEnd + 4 + length) return;
    this.#text = '';
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(Number(head.slice(9, 12)), head.includes('\r\nretry-after:'));
  }
}

/**
 * Sends requests at their times, whether or not earlier ones were answered: a closed loop would wait with the
 * service and hide what its callers wait. Times count from when a caller wanted to ask.
 */
export function runOpenLoop(plan: OpenLoopPlan): Promise<OpenLoopResult> {
  return new Promise((resolve) => new OpenLoop(plan, resolve).start());
}

class OpenLoop {
  readonly #plan: OpenLoopPlan;
  readonly #resolve: (result: OpenLoopResult) => void;
  readonly #idle: Connection[] = [];
  /** When their callers wanted to ask, the first of them first. */
  readonly #onTheirWay = new Map<Connection, number>();
  readonly #goodMs: number[] = [];
  readonly #refusedMs: number[] = [];
  #open = 0;
  #offered = 0;
  #goodInTime = 0;
  #gaveUp = 0;
  #foundNoConnection = 0;
  #failed = 0;
  #startedAtMs = 0;

  constructor(plan: OpenLoopPlan, resolve: (result: OpenLoopResult) => void) {
    this.#plan = plan;
    this.#resolve = resolve;
  }

  start(): void {
    this.#startedAtMs = performance.now();
    const timer = setInterval(() => {
      this.#tick(performance.now());
      const ended = this.#offered >= this.#plan.perSecond * this.#plan.seconds;
      if (!ended || this.#onTheirWay.size > 0) return;
      clearInterval(timer);
      for (const connection of this.#idle) connection.abandon();
      this.#resolve(this.#result());
    }, TICK_MS);
  }

  #tick(nowMs: number): void {
    const { perSecond, seconds, requests } = this.#plan;
    const elapsedSeconds = Math.min(seconds, (nowMs - this.#startedAtMs) / 1000);
    const due = Math.floor(elapsedSeconds * perSecond);
    while (this.#offered < due) {
      const wantedAtMs = this.#startedAtMs + (this.#offered / perSecond) * 1000;
      this.#send(requests[this.#offered % requests.length] as string, wantedAtMs);
      this.#offered++;
    }
    this.#giveUp(nowMs - this.#plan.patienceMs);
  }

  #giveUp(wantedBeforeMs: number): void {
    for (const [connection, wantedAtMs] of this.#onTheirWay) {
      if (wantedAtMs > wantedBeforeMs) break;
      this.#gaveUp++;
      this.#onTheirWay.delete(connection);
      connection.abandon();
    }
  }

  #send(request: string, wantedAtMs: number): void {
    const connection = this.#idle.shift() ?? this.#connect();
    if (connection === undefined) {
      this.#foundNoConnection++;
      return;
    }
    this.#onTheirWay.set(connection, wantedAtMs);
    connection.send(request, (status, retryAfter) => {
      this.#onTheirWay.delete(connection);
      this.#idle.push(connection);
      const nowMs = performance.now();
      if (status === 200 || status === 201) {
        this.#goodMs.push(nowMs - wantedAtMs);
        if (nowMs <= this.#startedAtMs + this.#plan.seconds * 1000) this.#goodInTime++;
      } else if ((status === 429 || status === 503) && retryAfter) this.#refusedMs.push(nowMs - wantedAtMs);
      else this.#failed++;
    });
  }

  #connect(): Connection | undefined {
    const { host, port, connections } = this.#plan;
    if (this.#open >= connections) return undefined;
    this.#open++;
    return new Connection(host, port, (connection, busy) => {
      this.#open--;
      this.#onTheirWay.delete(connection);
      if (busy) this.#failed++;
      const index = this.#idle.indexOf(connection);
      if (index !== -1) this.#idle.splice(index, 1);
    });
  }

  #result(): OpenLoopResult {
    const at = (values: number[], share: number) => values[Math.floor(values.length * share)] ?? 0;
    const good = this.#goodMs.sort((left, right) => left - right);
    const refused = this.#refusedMs.sort((left, right) => left - right);
    return {
      offered: this.#offered,
      good: good.length,
      goodPerSecond: this.#goodInTime / this.#plan.seconds,
      goodP50Ms: at(good, 0.5),
      goodP99Ms: at(good, 0.99),
      goodMeanMs: good.reduce((sum, one) => sum + one, 0) / Math.max(1, good.length),
      refused: refused.length,
      refusedP50Ms: at(refused, 0.5),
      refusedP99Ms: at(refused, 0.99),
      gaveUp: this.#gaveUp,
      foundNoConnection: this.#foundNoConnection,
      failed: this.#failed,
    };
  }
}
