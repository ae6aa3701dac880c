import type { ComponentChildren, ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { LoadingTable } from '../parts/loading-table.tsx';
import { loadScript } from '../state/load-script.ts';
import { SOON } from '../state/settings.ts';
import { useLoad } from '../state/use-load.ts';
import { loadLaterTexts, texts } from '../text/language.ts';

interface FrameProps {
  failure: ComponentChildren;
}

/** Loads the script and the styles with this name when the screen or panel is first shown. */
export function later<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  Frame: ComponentType<FrameProps> = Screen,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  const loadAll = async () => {
    await loadLaterTexts();
    [known] = await Promise.all([load(), addStyles(name)]);
    return known;
  };
  return (props) => {
    const [shown] = useState(() => known);
    const { loaded, reload } = useLoad(name, async (signal) => known ?? loadScript(loadAll, SOON, signal));
    const Part = loaded.state === 'loaded' ? loaded.value : shown;
    if (Part !== undefined) return <Part {...props} />;
    const again =
      loaded.state === 'failed' && loaded.failure.kind === 'script'
        ? { again: texts.$loadPage, onRetry: () => location.reload() }
        : { onRetry: reload };
    return (
      <Frame failure={loaded.state === 'failed' ? <FailurePanel {...loaded} {...again} /> : undefined} />
    );
  };
}

const Screen = ({ failure }: FrameProps) => (
  <main id="main" aria-busy={failure === undefined}>
    {failure === undefined ? (
      <LoadingTable />
    ) : (
      <>
        <div class="heading">
          <h1 tabIndex={-1}>{texts.$transactions}</h1>
        </div>
        {failure}
      </>
    )}
  </main>
);

function addStyles(name: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL(`./${name}.css`, import.meta.url).href;
  link.onload = resolve;
  link.onerror = reject;
  document.head.append(link);
  return promise;
}
