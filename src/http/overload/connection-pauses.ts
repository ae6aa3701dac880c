import type { Socket } from 'node:net';
import { pauseReading, resumeReading } from '../server/pause-reading.ts';

/**
 * To refuse takes a third of the time of an answer or more, so that without a rest, refusing alone would fill the
 * thread at three times its capacity.
 */
const REST_MS = 250;

const TOO_MANY_REQUESTS = 429;
/** Any other answer outweighs two: a connection rests where more than two in three of its requests are too many. */
const WEIGHT_OF_OTHERS = 2;
const MOST_REFUSED = 10;

/** Connections that are not read for a while: what comes on them waits where it costs nothing. */
export class ConnectionPauses {
  /** Connections with requests that were too many; on one that a proxy shares out, others stand between. */
  readonly #refused = new WeakMap<Socket, number>();

  /** Lets a connection rest. To be called once its answer is out, because node:http reads on with the answer. */
  rest(socket: Socket): void {
    if (socket.destroyed) return;
    pauseReading(socket);
    setTimeout(() => resumeReading(socket), REST_MS).unref();
  }

  /** Notes an answer: a connection of which little else comes than too many requests rests after each of them. */
  note(socket: Socket, status: number): void {
    const refused = this.#refused.get(socket) ?? 0;
    if (status === TOO_MANY_REQUESTS) {
      this.#refused.set(socket, Math.min(MOST_REFUSED, refused + 1));
      if (refused + 1 >= MOST_REFUSED) this.rest(socket);
    } else if (refused > 0) {
      this.#refused.set(socket, Math.max(0, refused - WEIGHT_OF_OTHERS));
    }
  }
}
