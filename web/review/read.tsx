import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { Running } from '../parts/running.tsx';
import { announce } from '../state/announce.ts';
import { useRoute } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { timeParts } from '../text/time.ts';
import { texts } from './texts.ts';
import type { Reading } from './use-reading.ts';

interface ReadProps<Found> {
  reading: Reading<Found>;
  readText(found: Found, minute: string): string;
  children(found: Found): ComponentChildren;
}

export function Read<Found>({ reading: { stage, cancel, again }, readText, children }: ReadProps<Found>) {
  const { zone } = useRoute();
  const isFound = stage.state === 'found';
  const text = isFound && readText(stage.found, timeParts(stage.atMs, zone).minute);
  useEffect(() => {
    if (text) announce(text);
  }, [text]);
  if (stage.state === 'failed')
    return <FailurePanel failure={stage.failure} retry={undefined} onRetry={again} />;
  if (stage.state === 'reading')
    return (
      <Running
        label={texts.$running}
        text={
          stage.all === null
            ? texts.$reading(number(stage.count))
            : texts.$readingOf(number(stage.count), number(stage.all))
        }
        value={stage.count}
        max={stage.all ?? undefined}
        onCancel={cancel}
      />
    );
  return (
    <>
      <p class="read-note">
        {text || texts.$cancelled} <Button onClick={again}>{texts.$again}</Button>
      </p>
      {isFound && children(stage.found)}
    </>
  );
}
