import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Exchange {
  response: ServerResponse;
  /** Of the request before it on the same connection, which may still be on its way when requests are pipelined. */
  before: ServerResponse | undefined;
}

/** Kept on the connection itself: a WeakMap would be gone through at each collection of garbage. */
const LAST = Symbol('last exchange');

type Connection = Socket & { [LAST]?: Exchange };

/** What is on its way on each connection, so that an error of the connection is told in its turn. */
export class Exchanges {
  note(response: ServerResponse): void {
    const connection: Connection = response.req.socket;
    connection[LAST] = { response, before: connection[LAST]?.response };
  }

  /**
   * Calls back once every request that came whole before the error is answered: a caller takes the first answer for
   * that of its first request. Where an answer has begun to the very request that is broken, nothing more can be
   * said, and the connection is closed.
   */
  whenAnswered(socket: Connection, tell: () => void): void {
    const last = socket[LAST];
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
