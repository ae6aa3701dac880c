import { h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { listRoute } from '../state/route.ts';
import { isKey, linkOf } from '../state/search-text.ts';
import type { Session } from '../state/session.ts';
import { followLink, navigate, openLink, useRoute } from '../state/use-route.ts';
import { FailingMark } from '../webhooks/failing-mark.ts';
import { Icon } from './icon.ts';

interface TopBarProps {
  /** Null if the user is not signed in. */
  session: Session | null;
  onSignOut(): void;
}

/** The bar above every screen. */
export function TopBar({ session, onSignOut }: TopBarProps) {
  const { view } = useRoute().route;
  return h(
    'header',
    { class: 'bar' },
    h(
      'div',
      { class: 'bar-inner' },
      h('a', { class: 'brand', href: '#/transactions', onClick: followLink }, 'Transactions'),
      session &&
        h(
          'p',
          { class: 'bar-account', title: `Account ${session.account}` },
          h('span', { class: 'bar-account-label' }, 'Account '),
          session.account,
        ),
      session && h(Find, null),
      h(
        'nav',
        { class: 'bar-links', 'aria-label': 'Service' },
        session?.scopes.includes('webhooks') &&
          h(
            'a',
            {
              href: '#/webhooks',
              onClick: followLink,
              ...(view === 'webhooks' && { 'aria-current': 'page' as const }),
            },
            'Webhooks',
            h(FailingMark, { apiKey: session.key }),
          ),
        // A key that can only read is a person's.
        session?.scopes.join() !== 'read' &&
          h('a', { href: '/docs' }, 'API', h('span', { class: 'bar-wide' }, '\u00a0reference')),
        session && h('button', { type: 'button', class: 'link', onClick: onSignOut }, 'Sign out'),
      ),
    ),
  );
}

const KEY_IN_SEARCH =
  'This is an API key, not a reference. Nothing was sent. To use the key, sign out and sign in with it.';

/** Whether a key that is pressed there is part of a text. */
const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input:not([type=radio], [type=checkbox]), textarea') !== null;

/** Finds transactions by a reference, a part of one, an amount, a day, or a link. */
function Find() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      // The empty field itself takes no slash: it was pressed to get there.
      const isThere = event.target === input.current && input.current?.value === '';
      if (isTyping(event.target) && !isThere) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', focusOnSlash);
    return () => document.removeEventListener('keydown', focusOnSlash);
  }, []);
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem('text') as HTMLInputElement;
    const text = field.value.trim();
    field.setCustomValidity(isKey(text) ? KEY_IN_SEARCH : '');
    if (!form.reportValidity()) return;
    form.reset();
    if (text === '') return navigate(listRoute());
    const link = linkOf(text, location.origin);
    if (link === undefined) navigate({ view: 'search', text });
    else openLink(link);
  };
  return h(
    'form',
    { class: 'find', role: 'search', noValidate: true, onSubmit: find },
    h(
      'label',
      { class: 'visually-hidden', for: 'find-text' },
      'Find transactions by a reference or a part of it, an amount, a day, or a link',
    ),
    h(Icon, { name: 'search' }),
    h('input', {
      ref: input,
      id: 'find-text',
      'aria-keyshortcuts': '/',
      name: 'text',
      type: 'search',
      placeholder: 'Reference, amount or day',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: false,
      onInput: (event: Event) => (event.currentTarget as HTMLInputElement).setCustomValidity(''),
    }),
  );
}
