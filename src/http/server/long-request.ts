import type { FastifyReply } from 'fastify';
import { endInFlight } from '../overload/load-shedding.ts';

/** The caller has left, or has received a response before the handler answered. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** `gone` may be aborted before `run` listens to it, so `run` must release its resources in a `finally`. */
export async function withoutTimeLimit<Result>(
  reply: FastifyReply,
  run: (gone: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { raw } = reply;
  const { socket } = reply.request.raw;
  const leaving = new AbortController();
  const leave = () => leaving.abort(new CallerGone('nobody waits for the response'));
  reply.liftTimeLimit();
  endInFlight(raw);
  raw.on('close', leave);
  // A caller that closes its side has probably left, so the request is ended.
  socket.on('end', leave);
  if (raw.destroyed || raw.headersSent || socket.readableEnded) leave();
  try {
    return await run(leaving.signal);
  } finally {
    raw.off('close', leave);
    socket.off('end', leave);
  }
}
