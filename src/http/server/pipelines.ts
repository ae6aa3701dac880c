import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pauseReading, resumeReading } from './pause-reading.ts';

/**
 * Parsed requests that wait on their connections, in all. One takes about 5 KB, and a single read of a connection
 * brings up to 2,500 of them.
 */
const MOST_WAITING = 10_000;

/** Stored on the connection itself: a WeakMap would be searched at each garbage collection. */
const CURRENT = Symbol('current response');
const WAITING = Symbol('waiting responses');

type Connection = Socket & { [CURRENT]?: ServerResponse; [WAITING]?: ServerResponse[] };

/**
 * Handles the pipelined requests of a connection one after the other: the next one begins when the answer before it
 * was passed to the kernel. Until then the connection is not read, so a caller that reads nothing holds one answer.
 */
export class Pipelines {
  readonly #handle: RequestListener;
  readonly #onDestroyed: (address: string | undefined) => void;
  readonly #connections = new Set<Connection>();
  #waiting = 0;

  /** `onDestroyed` gets the address of a connection that was destroyed because too many requests waited on it. */
  constructor(handle: RequestListener, onDestroyed: (address: string | undefined) => void) {
    this.#handle = handle;
    this.#onDestroyed = onDestroyed;
  }

  /** Handles a request now or, where an answer before it is unfinished, after that answer. */
  readonly handle: RequestListener = (request, response) => {
    const socket: Connection = request.socket;
    // Nothing is begun behind an answer that closes the connection. Source: RFC 9112, 9.6.
    if (!socket.writable) return;
    const current = socket[CURRENT];
    if (socket[WAITING] === undefined && (current === undefined || current.writableFinished)) {
      socket[CURRENT] = response;
      this.#handle(request, response);
    } else {
      this.#enqueue(socket, response);
    }
  };

  #enqueue(socket: Connection, response: ServerResponse): void {
    let waiting = socket[WAITING];
    if (waiting === undefined) {
      waiting = [];
      socket[WAITING] = waiting;
      this.#connections.add(socket);
      // node:http reads on at the end of each parsed request, so pause after all that this read brought.
      process.nextTick(pauseReading, socket);
      socket[CURRENT]?.once('close', () => this.#next(socket));
    }
    waiting.push(response);
    this.#waiting++;
    if (this.#waiting > MOST_WAITING) this.#destroyLongest();
  }

  #next(socket: Connection): void {
    const waiting = socket[WAITING];
    const response = socket.writable ? waiting?.shift() : undefined;
    if (waiting === undefined || response === undefined) {
      this.#clear(socket);
      return;
    }
    this.#waiting--;
    socket[CURRENT] = response;
    if (waiting.length === 0) this.#clear(socket);
    else {
      response.once('close', () => this.#next(socket));
      // A 'drain' of the answer before may have made node:http read on.
      socket.pause();
    }
    this.#handle(response.req, response);
  }

  #clear(socket: Connection): void {
    if (socket[WAITING] === undefined) return;
    this.#waiting -= socket[WAITING].length;
    delete socket[WAITING];
    this.#connections.delete(socket);
    resumeReading(socket);
  }

  #destroyLongest(): void {
    const lengthOf = (socket: Connection) => socket[WAITING]?.length ?? 0;
    let longest: Connection | undefined;
    for (const socket of this.#connections) {
      if (longest === undefined || lengthOf(socket) > lengthOf(longest)) longest = socket;
    }
    if (longest === undefined) return;
    const { remoteAddress } = longest;
    this.#clear(longest);
    longest.destroy();
    this.#onDestroyed(remoteAddress);
  }

  /**
   * Calls back once every request that came whole before an error of the connection is answered: a caller takes the
   * first answer for that of its first request. Where an answer has begun to the very request that is broken, nothing
   * more can be said, and the connection is closed: at once, or soon after the answer.
   */
  whenAnswered(socket: Connection, callback: () => void): void {
    const waiting = socket[WAITING];
    const current = socket[CURRENT];
    let last = waiting?.at(-1) ?? current;
    if (last?.req.complete === false) {
      if (last === current) {
        if (!current.headersSent) callback();
        else if (!current.writableFinished) socket.destroy();
        return;
      }
      // It is the broken one, and was not begun.
      waiting?.pop();
      this.#waiting--;
      last = waiting?.at(-1) ?? current;
    }
    if (last === undefined || last.writableFinished) callback();
    else last.once('close', callback);
  }
}
