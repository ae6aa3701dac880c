import type { Socket } from 'node:net';

const PAUSES = Symbol('read pauses');

type Paused = Socket & { [PAUSES]?: number };

/** Several parts of the service can pause a connection, so pauses are counted. */
export function pauseReading(socket: Paused): void {
  socket[PAUSES] = (socket[PAUSES] ?? 0) + 1;
  socket.pause();
}

export function resumeReading(socket: Paused): void {
  const remaining = (socket[PAUSES] ?? 1) - 1;
  socket[PAUSES] = remaining;
  if (remaining === 0) socket.resume();
}
