import type { Socket } from 'node:net';
import { pauseReading, resumeReading } from '../server/pause-reading.ts';

/**
 * A refusal takes at least a third of the time of a response. Without pauses, three times the capacity of the thread
 * would fill it with refusals.
 */
const PAUSE_MS = 250;

const TOO_MANY_REQUESTS = 429;
/** Any other response outweighs two 429: a connection is paused if more than two in three of its requests get a 429. */
const WEIGHT_OF_OTHERS = 2;
const MAX_SCORE = 10;

/** Pauses reading connections whose requests are refused. Requests that wait in the kernel cost the thread nothing. */
export class ConnectionPauses {
  /** Counts 429 against other responses, because a proxy can share a connection among callers. */
  readonly #scores = new WeakMap<Socket, number>();

  /** Call after the response is sent, because node:http resumes reading when it sends a response. */
  pause(socket: Socket): void {
    if (socket.destroyed) return;
    pauseReading(socket);
    setTimeout(() => resumeReading(socket), PAUSE_MS).unref();
  }

  /** Counts a response. Pauses a connection with few responses other than 429 after each 429. */
  countResponse(socket: Socket, status: number): void {
    const score = this.#scores.get(socket) ?? 0;
    if (status === TOO_MANY_REQUESTS) {
      this.#scores.set(socket, Math.min(MAX_SCORE, score + 1));
      if (score + 1 >= MAX_SCORE) this.pause(socket);
    } else if (score > 0) {
      this.#scores.set(socket, Math.max(0, score - WEIGHT_OF_OTHERS));
    }
  }
}
