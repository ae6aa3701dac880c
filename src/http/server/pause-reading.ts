import type { Socket } from 'node:net';

const PAUSES = Symbol('read pauses');

type Paused = Socket & { [PAUSES]?: number };

/** Stops reading a connection: what its caller sends waits in the kernel, and at last with the caller. */
export function pauseReading(socket: Paused): void {
  socket[PAUSES] = (socket[PAUSES] ?? 0) + 1;
  socket.pause();
}

/** Ends one pause. The connection is read again after the last one. */
export function resumeReading(socket: Paused): void {
  const left = (socket[PAUSES] ?? 1) - 1;
  socket[PAUSES] = left;
  if (left === 0) socket.resume();
}
