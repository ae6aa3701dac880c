import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Panel } from '../parts/panel.ts';
import { setTitle } from '../state/title.ts';

/** In place of transactions, for a key without the scope `read`. */
export function NoReadScreen({ hasWebhooks }: { hasWebhooks: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setTitle();
    heading.current?.focus();
  }, []);
  const actions =
    hasWebhooks && h('a', { class: 'button button-primary', href: '#/webhooks' }, 'Show the webhooks');
  return h(
    'main',
    { id: 'main' },
    h('div', { class: 'heading' }, h('h1', { ref: heading, tabIndex: -1 }, 'Transactions')),
    h(
      Panel,
      { icon: 'key', title: 'This key cannot show transactions', isAlert: true, actions },
      h(
        'p',
        null,
        'The key is valid, but it is not for reading transactions, and what a key is for cannot be changed. Ask the operator of the service for a key with ',
        h('code', null, 'read'),
        ', and sign in with it.',
      ),
      hasWebhooks &&
        h(
          'p',
          null,
          'With this key, the page shows the webhook endpoints of the account and what could not be delivered to them. You can send tests, retry failures, and enable endpoints again.',
        ),
      !hasWebhooks && h('p', null, 'The page can show nothing with this key.'),
    ),
  );
}
