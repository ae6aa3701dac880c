import { Panel } from '../parts/panel.tsx';
import { useHeading } from '../state/title.ts';

/** In place of transactions, for a key without the scope `read`. */
export function NoReadScreen({ hasWebhooks }: { hasWebhooks: boolean }) {
  useHeading();
  const actions = hasWebhooks && (
    <a class="button button-primary" href="#/webhooks">
      Show the webhooks
    </a>
  );
  return (
    <main id="main">
      <div class="heading">
        <h1 tabIndex={-1}>Transactions</h1>
      </div>
      <Panel icon="key" title="This key cannot show transactions" isAlert actions={actions}>
        <p>
          The key is valid, but it is not for reading transactions, and what a key is for cannot be changed.
          Ask the operator of the service for a key with <code>read</code>, and sign in with it.
        </p>
        {hasWebhooks && (
          <p>
            With this key, the page shows the webhook endpoints of the account and what could not be delivered
            to them. You can send tests, retry failures, and enable endpoints again.
          </p>
        )}
        {!hasWebhooks && <p>The page can show nothing with this key.</p>}
      </Panel>
    </main>
  );
}
