import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { KnownRoute } from '../state/route.ts';
import { setTitle } from '../state/title.ts';
import { navigate } from '../state/use-route.ts';
import { Panel } from './panel.ts';

interface OtherAccountScreenProps {
  route: KnownRoute;
  /** The account of the key. */
  account: string;
  /** The account of the link. */
  linkedAccount: string;
  onSignOut(): void;
}

/** A link that was made for another account. Showing it for this one without a word could pass for the other's transactions. */
export function OtherAccountScreen({ route, account, linkedAccount, onSignOut }: OtherAccountScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setTitle('Link of another account');
    heading.current?.focus();
  }, []);
  const actions = [
    h(
      'button',
      { type: 'button', class: 'button button-primary', onClick: onSignOut },
      'Sign in with another key',
    ),
    // A transaction belongs to one account.
    route.view !== 'transaction' &&
      h(
        'button',
        { type: 'button', class: 'button', onClick: () => navigate(route) },
        `Show the same for ${account}`,
      ),
  ];
  return h(
    'main',
    { id: 'main' },
    h('div', { class: 'heading' }, h('h1', { ref: heading, tabIndex: -1 }, 'Transactions')),
    h(
      Panel,
      { icon: 'key', title: 'This link is of another account', isAlert: true, actions },
      h(
        'p',
        null,
        'The link is of the account ',
        h('code', null, linkedAccount),
        ', and you are signed in to the account ',
        h('code', null, account),
        '. Nothing was loaded. To follow the link, sign in with a key of its account.',
      ),
    ),
  );
}
