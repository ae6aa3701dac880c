import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { FailurePanel } from '../parts/failure-panel.tsx';
import { LoadingTable } from '../parts/loading-table.tsx';
import { loadScript } from '../state/load-script.ts';
import { SOON } from '../state/settings.ts';
import { useLoad } from '../state/use-load.ts';
import { texts } from '../text/language.ts';

export function later<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  const loadAll = async () => {
    [known] = await Promise.all([load(), addStyles(name)]);
    return known;
  };
  return (props) => {
    const [shown] = useState(() => known);
    const { loaded, reload } = useLoad(name, async (signal) => known ?? loadScript(loadAll, SOON, signal));
    const Screen = loaded.state === 'loaded' ? loaded.value : shown;
    if (Screen !== undefined) return <Screen {...props} />;
    return (
      <main id="main" aria-busy={loaded.state === 'loading'}>
        {loaded.state === 'failed' ? (
          <>
            <div class="heading">
              <h1 tabIndex={-1}>{texts.$transactions}</h1>
            </div>
            <FailurePanel
              {...loaded}
              {...(loaded.failure.kind === 'script'
                ? { again: texts.$loadPage, onRetry: () => location.reload() }
                : { onRetry: reload })}
            />
          </>
        ) : (
          <LoadingTable />
        )}
      </main>
    );
  };
}

function addStyles(name: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  // All styles are in the same folder as the page's script.
  link.href = new URL(`./${name}.css`, import.meta.url).href;
  link.onload = resolve;
  link.onerror = reject;
  document.head.append(link);
  return promise;
}
