import { h } from 'preact';
import { listRoute } from '../state/route.ts';
import { navigate } from '../state/use-route.ts';
import { Icon } from './icon.ts';

/** The bar above every screen. `onSignOut` is undefined if the user is not signed in. */
export function TopBar({ onSignOut }: { onSignOut?: () => void }) {
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
        h('a', { href: '/docs' }, 'API reference'),
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
