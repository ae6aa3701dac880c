import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import { addressOf, type KnownRoute, listRoute, type Route, reviewRoute } from '../state/route.ts';
import { isKey, linkOf, pasted } from '../state/search-text.ts';
import type { Session } from '../state/session.ts';
import { session, signOut } from '../state/signed-in.ts';
import { PHONE, useMedia } from '../state/use-media.ts';
import { followLink, navigate, openLink, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { minuteOf } from '../text/session-text.ts';
import { FailingMark } from '../webhooks/failing-mark.tsx';
import { LookAtMark } from './look-at-mark.tsx';

export function TopBar() {
  const user = session.use();
  const isPhone = useMedia(PHONE);
  const leave = () => {
    signOut();
    // The filters are dropped, because the next API key may belong to another account.
    navigate(listRoute());
  };
  const rest = (
    <>
      {user && <User user={user} />}
      <nav class="bar-links" aria-label={texts.$service}>
        <a href="/guides" hreflang="en">
          {texts.$help}
        </a>
        {user && (
          <Button class="link" onClick={leave}>
            {texts.$signOut}
          </Button>
        )}
      </nav>
    </>
  );
  return (
    <header class="bar">
      <div class="bar-inner">
        {user ? <Screens user={user} /> : <span class="brand">{texts.$transactions}</span>}
        {user && <Find />}
        {user && isPhone ? (
          <Popover id="user" class="chip bar-menu" label={user.account} name={texts.$accountOf(user.account)}>
            {rest}
          </Popover>
        ) : (
          rest
        )}
      </div>
    </header>
  );
}

function Screens({ user: { key, scopes } }: { user: Session }) {
  const { route, zone } = useRoute();
  const filter = 'filter' in route ? route.filter : {};
  const link = (to: KnownRoute, views: readonly Route['view'][], ...label: ComponentChildren[]) => (
    <a
      href={addressOf(to, zone)}
      onClick={followLink}
      {...(views.includes(route.view) && { 'aria-current': 'page' as const })}
    >
      {label}
    </a>
  );
  return (
    <nav class="bar-links bar-screens" aria-label={texts.$screens}>
      {scopes.includes('read') && (
        <>
          {link(
            listRoute(route.view === 'list' ? {} : filter),
            ['list', 'search', 'transaction'],
            texts.$transactions,
          )}
          {link(
            reviewRoute(filter),
            ['review', 'changes'],
            texts.$lookAt,
            <LookAtMark key={zone} apiKey={key} />,
          )}
          {link({ view: 'reconcile', filter }, ['reconcile'], texts.$bankFile)}
        </>
      )}
      {scopes.includes('webhooks') &&
        link({ view: 'webhooks' }, ['webhooks'], texts.$webhooks, <FailingMark apiKey={key} />)}
    </nav>
  );
}

function User({ user: { account, person, expiresAt } }: { user: Session }) {
  const { zone } = useRoute();
  return (
    <div class="bar-user">
      <p class="bar-account" title={texts.$accountOf(account)}>
        {texts.$account} {account}
      </p>
      {person !== null && (
        <p class="bar-person" title={person}>
          <span>{person}</span>
          {expiresAt !== null && texts.$until(minuteOf(expiresAt, zone))}
        </p>
      )}
    </div>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input:not([type=radio], [type=checkbox]), textarea') !== null;

function Find() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      // A slash in the empty field is not typed. The user wants to go to the field, and is already there.
      const isInEmptyField = event.target === input.current && input.current?.value === '';
      if (isTyping(event.target) && !isInEmptyField) return;
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
    const text = pasted(field.value);
    field.setCustomValidity(isKey(text) ? texts.$keyInSearch : '');
    if (!form.reportValidity()) return;
    form.reset();
    if (text === '') return navigate(listRoute());
    const link = linkOf(text, location.origin);
    if (link === undefined) navigate({ view: 'search', text });
    else openLink(link);
  };
  return (
    <form class="find" role="search" noValidate onSubmit={find}>
      <label class="visually-hidden" for="find-text">
        {texts.$find}
      </label>
      <Icon name="search" />
      <input
        ref={input}
        id="find-text"
        aria-keyshortcuts="/"
        name="text"
        type="search"
        placeholder={texts.$findExample}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event: Event) => (event.currentTarget as HTMLInputElement).setCustomValidity('')}
      />
    </form>
  );
}
