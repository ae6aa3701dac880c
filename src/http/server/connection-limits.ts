import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { CountedListener, HttpMetrics } from '../telemetry/http-metrics.ts';
import { LogInterval } from '../telemetry/log-interval.ts';
import { peerNetwork, proxyMatcher } from './caller-address.ts';
import { isUnused } from './http-server.ts';

/** With more connections, one process would be too slow. The system's limit of open files is higher. */
const MAX_CONNECTIONS = 10_000;
/** If all connections together have more unsent bytes than this, the connections with the most are closed. */
const MAX_UNSENT_BYTES = 64 * 2 ** 20;
const UNSENT_CHECK_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 1000;

interface ConnectionLimits {
  perAddress: number | null;
  exempt: readonly string[];
}

type Reason = 'address' | 'all' | 'unsent' | 'pipelined';

interface ConnectionDependencies {
  listener: CountedListener;
  monotonicMs: () => number;
  logger: Logger;
  metrics: HttpMetrics;
}

export class ConnectionLimiter {
  readonly #limits: ConnectionLimits;
  readonly #isExempt: (address: string) => boolean;
  readonly #dependencies: ConnectionDependencies;
  readonly #open = new Set<Socket>();
  readonly #lines: LogInterval;
  readonly #openByNetwork = new Map<string, number>();
  #closed: Partial<Record<Reason, number>> = {};

  constructor(limits: ConnectionLimits, dependencies: ConnectionDependencies) {
    this.#limits = limits;
    this.#isExempt = proxyMatcher(limits.exempt);
    this.#dependencies = dependencies;
    this.#lines = new LogInterval(LOG_INTERVAL_MS, dependencies.monotonicMs);
  }

  watch(server: Server): void {
    server.maxConnections = MAX_CONNECTIONS;
    server.on('drop', (dropped) => this.countClosed('all', dropped?.remoteAddress));
    server.prependListener('connection', (socket) => this.#accept(socket));
    server.once('listening', () => {
      const checking = setInterval(() => this.#checkUnsent(), UNSENT_CHECK_INTERVAL_MS).unref();
      server.once('close', () => clearInterval(checking));
    });
  }

  /** A stopping server would wait for connections that have not sent a complete head of a request. */
  closeUnused(): void {
    for (const socket of this.#open) if (isUnused(socket)) socket.destroy();
  }

  countClosed(reason: Reason, address: string | undefined): void {
    const { listener, logger, metrics } = this.#dependencies;
    metrics.countClosedConnection(listener, reason);
    this.#closed[reason] = (this.#closed[reason] ?? 0) + 1;
    if (this.#lines.take('closed') === undefined) return;
    logger.warn(
      { listener, closed: this.#closed, address },
      'connections are closed: too many connections, or too many unsent responses',
    );
    this.#closed = {};
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress;
    if (address === undefined) return;
    if (!this.#countAddress(socket, address)) {
      socket.destroy();
      this.countClosed('address', address);
      return;
    }
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  #countAddress(socket: Socket, address: string): boolean {
    const { perAddress } = this.#limits;
    if (perAddress === null || this.#isExempt(address)) return true;
    const network = peerNetwork(address);
    const count = this.#openByNetwork.get(network) ?? 0;
    if (count >= perAddress) return false;
    this.#openByNetwork.set(network, count + 1);
    socket.once('close', () => {
      const remaining = (this.#openByNetwork.get(network) ?? 1) - 1;
      if (remaining === 0) this.#openByNetwork.delete(network);
      else this.#openByNetwork.set(network, remaining);
    });
    return true;
  }

  #checkUnsent(): void {
    let unsent = 0;
    for (const socket of this.#open) unsent += socket.writableLength;
    if (unsent <= MAX_UNSENT_BYTES) return;
    const largestFirst = [...this.#open].sort((left, right) => right.writableLength - left.writableLength);
    for (const socket of largestFirst) {
      if (unsent <= MAX_UNSENT_BYTES) return;
      unsent -= socket.writableLength;
      const { remoteAddress } = socket;
      socket.destroy();
      this.countClosed('unsent', remoteAddress);
    }
  }
}
