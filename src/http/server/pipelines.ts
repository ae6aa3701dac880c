import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pauseReading, resumeReading } from './pause-reading.ts';

/** Waiting requests on all connections together. One takes about 5 KB, and one read of a connection yields up to 2,500. */
const MAX_WAITING = 10_000;

/** Properties of the socket, because every garbage collection has to visit a WeakMap. */
const CURRENT = Symbol('current response');
const WAITING = Symbol('waiting responses');

type Connection = Socket & { [CURRENT]?: ServerResponse; [WAITING]?: ServerResponse[] };

/**
 * Handles the pipelined requests of a connection one after another: the next one begins when the response before it
 * has been passed to the kernel. Until then the connection is not read, so a caller that reads nothing holds one
 * response in memory.
 */
export class Pipelines {
  readonly #handle: RequestListener;
  readonly #onDestroyed: (address: string | undefined) => void;
  readonly #connections = new Set<Connection>();
  #waiting = 0;

  /** `onDestroyed` gets the address of each connection that is destroyed because too many requests wait on it. */
  constructor(handle: RequestListener, onDestroyed: (address: string | undefined) => void) {
    this.#handle = handle;
    this.#onDestroyed = onDestroyed;
  }

  /** Handles a request now or, if a response before it is unfinished, after that response. */
  readonly handle: RequestListener = (request, response) => {
    const socket: Connection = request.socket;
    // No request is handled after a response that closes the connection. Source: RFC 9112, 9.6.
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
      // node:http resumes reading after each parsed request, so pause after the last request of this read.
      process.nextTick(pauseReading, socket);
      socket[CURRENT]?.once('close', () => this.#next(socket));
    }
    waiting.push(response);
    this.#waiting++;
    if (this.#waiting > MAX_WAITING) this.#destroyLongest();
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
      // node:http resumes reading at a 'drain' of the response before.
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
   * Calls back when every complete request before an error of the connection is answered, because responses are in the
   * order of requests. If the response to the broken request has begun, there is no callback: the connection is closed
   * at once, or soon after the response.
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
      // The broken request, which is not handled yet.
      waiting?.pop();
      this.#waiting--;
      last = waiting?.at(-1) ?? current;
    }
    if (last === undefined || last.writableFinished) callback();
    else last.once('close', callback);
  }
}
