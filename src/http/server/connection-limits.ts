import type { Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { peerNetwork } from '../access/caller-address.ts';
import type { Metrics, ObservedResponse } from '../telemetry/metrics.ts';

/** More than one process can serve in time, and fewer than it may have files open. */
const MAX_CONNECTIONS = 10_000;
/** Of answers that callers do not take, in all. A connection holds at most one answer. */
const MAX_UNSENT_BYTES = 64 * 2 ** 20;
const UNSENT_CHECKED_MS = 250;
const LOGGED_EVERY_MS = 1000;

export interface ConnectionLimits {
  /** Of one address, or null for no limit of its own. */
  perAddress: number | null;
  /** Addresses and CIDR ranges without a limit of their own: proxies. */
  exempt: readonly string[];
}

/** Why a connection was closed: too many of its address, too many in all, or too much that waits in it. */
type Reason = 'address' | 'all' | 'unsent' | 'pipelined';

export interface ConnectionDependencies {
  listener: ObservedResponse['listener'];
  monotonicMs: () => number;
  logger: Logger;
  metrics: Metrics;
}

/** Keeps what connections cost within bounds, before anybody on them has authenticated. */
export class ConnectionLimiter {
  readonly #limits: ConnectionLimits;
  readonly #exempt: BlockList;
  readonly #dependencies: ConnectionDependencies;
  readonly #open = new Set<Socket>();
  readonly #ofAddress = new Map<string, number>();
  #closed: Partial<Record<Reason, number>> = {};
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(limits: ConnectionLimits, dependencies: ConnectionDependencies) {
    this.#limits = limits;
    this.#exempt = blockListOf(limits.exempt);
    this.#dependencies = dependencies;
  }

  watch(server: Server): void {
    server.maxConnections = MAX_CONNECTIONS;
    server.on('drop', (dropped) => this.noteClosed('all', dropped?.remoteAddress));
    server.prependListener('connection', (socket) => this.#accept(socket));
    server.once('listening', () => {
      const checking = setInterval(() => this.#checkUnsent(), UNSENT_CHECKED_MS).unref();
      server.once('close', () => clearInterval(checking));
    });
  }

  /** Counts a connection that was closed for its costs, and logs all of a second together. */
  noteClosed(reason: Reason, address: string | undefined): void {
    const { listener, monotonicMs, logger, metrics } = this.#dependencies;
    metrics.countClosedConnection(listener, reason);
    this.#closed[reason] = (this.#closed[reason] ?? 0) + 1;
    const nowMs = monotonicMs();
    if (nowMs - this.#loggedAtMs < LOGGED_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    logger.warn(
      { listener, closed: this.#closed, address },
      'connections are closed: too many, or too much unsent',
    );
    this.#closed = {};
  }

  #accept(socket: Socket): void {
    // It is gone already where its caller reset it.
    const address = socket.remoteAddress;
    if (address === undefined) return;
    if (!this.#countAddress(socket, address)) {
      socket.destroy();
      this.noteClosed('address', address);
      return;
    }
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Whether its address may have one more. */
  #countAddress(socket: Socket, address: string): boolean {
    const { perAddress } = this.#limits;
    if (perAddress === null || this.#exempt.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return true;
    const network = peerNetwork(address);
    const count = this.#ofAddress.get(network) ?? 0;
    if (count >= perAddress) return false;
    this.#ofAddress.set(network, count + 1);
    socket.once('close', () => {
      const left = (this.#ofAddress.get(network) ?? 1) - 1;
      if (left === 0) this.#ofAddress.delete(network);
      else this.#ofAddress.set(network, left);
    });
    return true;
  }

  /** Destroys the connections that hold most, until all together hold what they may. */
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
      this.noteClosed('unsent', remoteAddress);
    }
  }
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
