import { Panel } from '../parts/panel.tsx';
import { platform } from '../state/return-link.ts';
import { useHeading } from '../state/title.ts';
import { texts } from '../text/language.ts';

interface NoReadScreenProps {
  hasWebhooks: boolean;
  isSession: boolean;
}

export function NoReadScreen({ hasWebhooks, isSession }: NoReadScreenProps) {
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
      <Panel icon="key" title={texts.$noRead(isSession)} isAlert actions={actions}>
        <p>{(isSession ? texts.$noReadSession : texts.$noReadText)(<code>read</code>, platform)}</p>
        <p>{hasWebhooks ? texts.$noReadWebhooks : texts.$noReadNothing}</p>
      </Panel>
    </main>
  );
}
