import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Exchange {
  response: ServerResponse;
  /** Of the request before it on the same connection, which may still be on its way when requests are pipelined. */
  before: ServerResponse | undefined;
}

/** What is on its way on each connection, so that an error of the connection is told in its turn. */
export class Exchanges {
  readonly #last = new WeakMap<Socket, Exchange>();

  note(response: ServerResponse): void {
    const { socket } = response.req;
    this.#last.set(socket, { response, before: this.#last.get(socket)?.response });
  }

  /**
   * Calls back once every request that came whole before the error is answered: a caller takes the first answer for
   * that of its first request. Where an answer has begun to the very request that is broken, nothing more can be
   * said, and the connection is closed.
   */
  whenAnswered(socket: Socket, tell: () => void): void {
    const last = this.#last.get(socket);
    const isWhole = last?.response.req.complete === true;
    if (!isWhole && last?.response.headersSent && !last.response.writableFinished) {
      socket.destroy();
      return;
    }
    const onItsWay = isWhole ? last?.response : last?.before;
    if (onItsWay === undefined || onItsWay.writableFinished) tell();
    else onItsWay.once('close', tell);
  }
}
