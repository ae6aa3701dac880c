import { h } from 'preact';
import { listRoute } from '../state/route.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { Icon } from './icon.ts';

interface TopBarProps {
  /** Whether the key has the scope `webhooks`; undefined until it is known. */
  hasWebhooks?: boolean | undefined;
  /** Undefined if the user is not signed in. */
  onSignOut?: () => void;
}

/** The bar above every screen. */
export function TopBar({ hasWebhooks, onSignOut }: TopBarProps) {
  const { view } = useRoute().route;
  return h(
    'header',
    { class: 'bar' },
    h(
      'div',
      { class: 'bar-inner' },
      h('a', { class: 'brand', href: '#/transactions' }, 'Transactions'),
      onSignOut && h(FindReference, null),
      h(
        'nav',
        { class: 'bar-links', 'aria-label': 'Service' },
        hasWebhooks &&
          h(
            'a',
            { href: '#/webhooks', ...(view === 'webhooks' && { 'aria-current': 'page' as const }) },
            'Webhooks',
          ),
        h('a', { href: '/docs' }, 'API', h('span', { class: 'bar-wide' }, '\u00a0reference')),
        onSignOut && h('button', { type: 'button', class: 'link', onClick: onSignOut }, 'Sign out'),
      ),
    ),
  );
}

/** Opens one transaction by its reference. */
function FindReference() {
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const reference = String(new FormData(form).get('reference')).trim();
    if (reference === '') return navigate(listRoute());
    navigate({ view: 'transaction', reference });
    form.reset();
  };
  return h(
    'form',
    { class: 'find', role: 'search', onSubmit: find },
    h('label', { class: 'visually-hidden', for: 'find-reference' }, 'Find a transaction by its reference'),
    h(Icon, { name: 'search' }),
    h('input', {
      id: 'find-reference',
      name: 'reference',
      type: 'search',
      placeholder: 'Find a reference',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: false,
    }),
  );
}
