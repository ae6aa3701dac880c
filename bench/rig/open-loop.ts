import { connect, type Socket } from 'node:net';

export interface OpenLoopPlan {
  host: string;
  port: number;
  /** Complete HTTP/1.1 requests, sent in turn. */
  requests: readonly string[];
  perSecond: number;
  seconds: number;
  /** The maximum of open connections. A request that finds none idle is not sent, as at a proxy with a bounded pool. */
  connections: number;
  /** After this time the caller gives up and closes its connection. */
  callerTimeoutMs: number;
  /** The length of the windows of the result; default: one window. */
  windowSeconds?: number;
}

/** Successful responses by their scheduled time. */
export interface OpenLoopWindow {
  p50Ms: number;
  p99Ms: number;
  mostMs: number;
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
  /** Requests whose caller gave up while they were in flight. */
  gaveUp: number;
  foundNoConnection: number;
  /** Any other response, and connections closed or reset with a request in flight. */
  failed: number;
  windows: OpenLoopWindow[];
}

type Answered = (status: number, retryAfter: boolean) => void;

const TICK_MS = 1;

/** A connection with at most one request in flight. */
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

  /** Closes the connection without reporting its request. */
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
 * Sends requests at their scheduled times, whether or not earlier ones were answered: a closed loop would slow down with
 * the service and hide the waiting time. Response times are counted from the scheduled time.
 */
export function runOpenLoop(plan: OpenLoopPlan): Promise<OpenLoopResult> {
  return new Promise((resolve) => new OpenLoop(plan, resolve).start());
}

class OpenLoop {
  readonly #plan: OpenLoopPlan;
  readonly #resolve: (result: OpenLoopResult) => void;
  readonly #idle: Connection[] = [];
  /** The scheduled time of each request in flight, earliest first. */
  readonly #inFlight = new Map<Connection, number>();
  readonly #goodMs: number[] = [];
  readonly #windowsMs: number[][];
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
    const { seconds, windowSeconds = seconds } = plan;
    this.#windowsMs = Array.from({ length: Math.ceil(seconds / windowSeconds) }, () => []);
  }

  start(): void {
    this.#startedAtMs = performance.now();
    const timer = setInterval(() => {
      this.#tick(performance.now());
      const ended = this.#offered >= Math.floor(this.#plan.perSecond * this.#plan.seconds);
      if (!ended || this.#inFlight.size > 0) return;
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
      const scheduledAtMs = this.#startedAtMs + (this.#offered / perSecond) * 1000;
      this.#send(requests[this.#offered % requests.length] as string, scheduledAtMs);
      this.#offered++;
    }
    this.#giveUp(nowMs - this.#plan.callerTimeoutMs);
  }

  #giveUp(scheduledBeforeMs: number): void {
    for (const [connection, scheduledAtMs] of this.#inFlight) {
      if (scheduledAtMs > scheduledBeforeMs) break;
      this.#gaveUp++;
      this.#inFlight.delete(connection);
      connection.abandon();
    }
  }

  #send(request: string, scheduledAtMs: number): void {
    const connection = this.#idle.shift() ?? this.#connect();
    if (connection === undefined) {
      this.#foundNoConnection++;
      return;
    }
    this.#inFlight.set(connection, scheduledAtMs);
    connection.send(request, (status, retryAfter) => {
      this.#inFlight.delete(connection);
      this.#idle.push(connection);
      const nowMs = performance.now();
      if (status === 200 || status === 201) {
        this.#goodMs.push(nowMs - scheduledAtMs);
        this.#windowOf(scheduledAtMs).push(nowMs - scheduledAtMs);
        if (nowMs <= this.#startedAtMs + this.#plan.seconds * 1000) this.#goodInTime++;
      } else if ((status === 429 || status === 503) && retryAfter)
        this.#refusedMs.push(nowMs - scheduledAtMs);
      else this.#failed++;
    });
  }

  #windowOf(scheduledAtMs: number): number[] {
    const share = (scheduledAtMs - this.#startedAtMs) / 1000 / this.#plan.seconds;
    return this.#windowsMs[Math.floor(share * this.#windowsMs.length)] as number[];
  }

  #connect(): Connection | undefined {
    const { host, port, connections } = this.#plan;
    if (this.#open >= connections) return undefined;
    this.#open++;
    return new Connection(host, port, (connection, busy) => {
      this.#open--;
      this.#inFlight.delete(connection);
      if (busy) this.#failed++;
      const index = this.#idle.indexOf(connection);
      if (index !== -1) this.#idle.splice(index, 1);
    });
  }

  #result(): OpenLoopResult {
    const at = (values: number[], share: number) => values[Math.floor(values.length * share)] ?? 0;
    const rising = (values: number[]) => values.sort((left, right) => left - right);
    const good = rising(this.#goodMs);
    const refused = rising(this.#refusedMs);
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
      windows: this.#windowsMs.map((values) => {
        const window = rising(values);
        return { p50Ms: at(window, 0.5), p99Ms: at(window, 0.99), mostMs: window.at(-1) ?? 0 };
      }),
    };
  }
}
