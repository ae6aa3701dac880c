import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Retry } from '../state/use-load.ts';

const TICK_MS = 250;

/** Says when the page asks again by itself. A reader of the screen hears that it does, and not each second of it. */
export function RetryNotice({ retry: { atMs, isRunning } }: { retry: Retry }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  const seconds = Math.max(1, Math.ceil((atMs - nowMs) / 1000));
  return h(
    'p',
    { class: 'retry' },
    'The page tries again by itself',
    h('span', { 'aria-hidden': 'true' }, isRunning ? ': now\u2026' : ` in ${seconds} s.`),
  );
}
