import type { Following } from '../../operate/copy/follow-source.ts';
import { onEndOfNpm, type StopReason } from '../../service/stop-signals.ts';
import { printNote, printResult } from '../terminal/output.ts';
import { behindLine, type Output } from './copy-report.ts';
import { ShownBehind } from './shown-behind.ts';

/** Ctrl-C can arrive twice: from the terminal, and from npm, which forwards it. */
const SAME_SIGNAL_MS = 1000;

interface CopySignals {
  isStopped(): boolean;
  following: Following;
  /** A further signal ends the process. */
  forget(): void;
}

/** The first stop signal, or the end of npm, ends the following, or the copy. It is acknowledged with a note at once. A later signal ends the process. */
export function copySignals({
  isFollowing,
  output,
  onNote,
}: {
  isFollowing: boolean;
  output: Output;
  onNote(): void;
}): CopySignals {
  const stopping = new AbortController();
  const forget = () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  };
  const onSignal = (reason: StopReason) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(forget, SAME_SIGNAL_MS).unref();
    onNote();
    printNote(
      isFollowing
        ? `${reason}: copying the rest and comparing both databases. A second signal ends the copy at once.`
        : `${reason}: the copy ends after the current step. A second signal ends it at once.`,
    );
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  onEndOfNpm(() => onSignal('npm ended'));
  const isStopped = () => stopping.signal.aborted;

  const shown = new ShownBehind();
  return {
    isStopped,
    forget,
    following: {
      isStopped,
      pause: (milliseconds) => pauseUntil(stopping.signal, milliseconds),
      onBehind: (behind) => {
        const next = shown.next(behind, performance.now());
        if (next === undefined) return;
        onNote();
        printResult(behindLine(next, output));
      },
    },
  };
}

function pauseUntil(signal: AbortSignal, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  const timer = setTimeout(resolve, milliseconds);
  const onAbort = () => resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}
