import { Panel } from '../parts/panel.tsx';
import { useHeading } from '../state/title.ts';
import { texts } from '../text/language.ts';

/** Shown instead of transactions if the key lacks the scope `read`. */
export function NoReadScreen({ hasWebhooks }: { hasWebhooks: boolean }) {
  useHeading();
  const actions = hasWebhooks && (
    <a class="button button-primary" href="#/webhooks">
      {texts.$showWebhooks}
    </a>
  );
  return (
    <main id="main">
      <div class="heading">
        <h1 tabIndex={-1}>{texts.$transactions}</h1>
      </div>
      <Panel icon="key" title={texts.$noRead} isAlert actions={actions}>
        <p>{texts.$noReadText(<code>read</code>)}</p>
        <p>{hasWebhooks ? texts.$noReadWebhooks : texts.$noReadNothing}</p>
      </Panel>
    </main>
  );
}
