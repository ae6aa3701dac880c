import type { EventEmitter } from 'node:events';

const PARENT_CHECK_INTERVAL_MS = 250;

/** Ctrl-C arrives twice, from the terminal and from npm, so a second signal in this time is ignored. */
const SAME_SIGNAL_MS = 1000;

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

export type StopReason = (typeof STOP_SIGNALS)[number] | 'the end of npm';

/** Returns a function that removes the handlers. After its call, a signal ends the process. */
export function onStopSignal(
  callback: (reason: StopReason) => void,
  { again }: { again: 'ignored' | 'ends the process' },
  signals: EventEmitter = process,
): () => void {
  let stopping = false;
  const stop = (reason: StopReason) => {
    if (stopping) return;
    stopping = true;
    if (again === 'ends the process') setTimeout(forget, SAME_SIGNAL_MS).unref();
    callback(reason);
  };
  const forgetNpm = onEndOfNpm(() => stop('the end of npm'));
  const forget = () => {
    forgetNpm();
    for (const signal of STOP_SIGNALS) signals.off(signal, stop);
  };
  for (const signal of STOP_SIGNALS) signals.on(signal, stop);
  return forget;
}

/** npm forwards SIGTERM to the shell of the program. The shell then ends, but the program would continue. */
function onEndOfNpm(callback: () => void): () => void {
  if (process.env['npm_execpath'] === undefined) return () => {};
  const parent = process.ppid;
  const interval = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(interval);
    callback();
  }, PARENT_CHECK_INTERVAL_MS).unref();
  return () => clearInterval(interval);
}
