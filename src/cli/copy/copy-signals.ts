import { setTimeout as delay } from 'node:timers/promises';
import { counted, number } from '../../../values/counted.ts';
import { type Progress, printResult } from '../../../values/terminal/output.ts';
import { onStopSignal, type StopReason } from '../../../values/terminal/stop-signals.ts';
import type { Behind, CopyOptions, Following } from '../../operate/copy/copy.ts';
import { behindLine, type Output } from './copy-report.ts';

interface CopySignals extends Pick<CopyOptions, 'isStopped' | 'onProgress'> {
  following: Following;
  forget(): void;
}

const PRINTED_EVERY_MS = { json: 1000, text: 10_000 };

export function copySignals(
  { isFollowing, keepsSource }: { isFollowing: boolean; keepsSource: boolean },
  output: Output,
  shown: Progress,
): CopySignals {
  const stopping = new AbortController();
  const onSignal = (reason: StopReason) => {
    stopping.abort();
    const rest = keepsSource ? 'gets the rest' : 'marks the source as moved, copies the rest';
    const does = isFollowing ? `${rest} and ends` : 'ends after the current step';
    shown.note(`${reason}: the copy ${does}. A second signal ends it at once.`);
  };
  const forget = onStopSignal(onSignal, { again: 'ends the process' });
  const isStopped = () => stopping.signal.aborted;

  const nextShown = shownBehind(PRINTED_EVERY_MS[output]);
  const isOneLine = output === 'text' && process.stderr.isTTY;
  let hasFollowed = false;
  return {
    isStopped,
    forget,
    onProgress: ({ changes }, missing) => {
      if (!hasFollowed || isStopped())
        shown.show(`Copied ${number(changes)} of ${counted(missing, 'change')}`);
    },
    following: {
      isStopped,
      pause: (milliseconds) => delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => {}),
      onBehind: (behind) => {
        hasFollowed = true;
        if (isOneLine) return shown.show(behindLine(behind, output));
        const next = nextShown(behind);
        if (next === undefined) return;
        shown.clear();
        printResult(behindLine(next, output));
      },
    },
  };
}

function shownBehind(everyMs: number): (behind: Behind) => Behind | undefined {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let shown: Behind | undefined;
  let most: Behind | undefined;
  return (behind) => {
    if (behind.changes > (most?.changes ?? 0)) most = behind;
    if (performance.now() - shownAtMs < everyMs) return undefined;
    const next = most ?? behind;
    if (next.changes === 0 && shown?.changes === 0) return undefined;
    shownAtMs = performance.now();
    shown = next;
    most = undefined;
    return next;
  };
}
