import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { LoadingTable } from '../parts/loading-table.tsx';
import { Panel } from '../parts/panel.tsx';
import { texts } from '../text/language.ts';

type Shown<Props> = { Screen: ComponentType<Props> } | 'loading' | 'failed';

/** A screen whose script and styles have the same name. They are loaded when the screen is first shown. */
export function later<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: Shown<Props> = 'loading';
  return (props) => {
    const [shown, setShown] = useState(loaded);
    useEffect(() => {
      if (loaded !== 'loading') return;
      Promise.all([load(), addStyles(name)]).then(
        ([Screen]) => {
          loaded = { Screen };
          setShown(loaded);
        },
        () => setShown('failed'),
      );
    }, []);
    if (shown === 'loading')
      return (
        <main id="main" aria-busy="true">
          <LoadingTable />
        </main>
      );
    return shown === 'failed' ? <Failed /> : <shown.Screen {...props} />;
  };
}

/**
 * A browser can remember that a script failed. So the whole page is loaded again, possibly in a newer
 * version.
 */
const Failed = () => (
  <main id="main">
    <Panel
      icon="offline"
      title={texts.$partFailed}
      isAlert
      actions={
        <Button isPrimary onClick={() => location.reload()}>
          {texts.$loadPage}
        </Button>
      }
    >
      <p>{texts.$partFailedText}</p>
    </Panel>
  </main>
);

function addStyles(name: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  // The script of the page and all styles are in the same folder.
  link.href = new URL(`./${name}.css`, import.meta.url).href;
  link.onload = resolve;
  link.onerror = reject;
  document.head.append(link);
  return promise;
}
