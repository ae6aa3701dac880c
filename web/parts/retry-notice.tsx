import { useEffect, useState } from 'preact/hooks';
import type { Retry } from '../state/use-load.ts';
import { texts } from '../text/language.ts';

const TICK_MS = 250;

/** Says when the page retries. Screen readers speak the sentence, but not every second of the countdown. */
export function RetryNotice({ retry: { atMs, isRunning } }: { retry: Retry }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  const seconds = Math.max(1, Math.ceil((atMs - nowMs) / 1000));
  return (
    <p class="retry">
      {texts.$retries}
      <span aria-hidden="true">{isRunning ? texts.$retriesNow : texts.$retriesIn(seconds)}</span>
    </p>
  );
}
