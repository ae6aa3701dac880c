import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { listRoute } from '../state/route.ts';
import { isKey, linkOf, pasted } from '../state/search-text.ts';
import type { Session } from '../state/session.ts';
import { session, signOut } from '../state/signed-in.ts';
import { followLink, navigate, openLink, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { minuteOf } from '../text/session-text.ts';
import { FailingMark } from '../webhooks/failing-mark.tsx';

/** The bar above every screen. */
export function TopBar() {
  const user = session.use();
  const { view } = useRoute().route;
  const leave = () => {
    signOut();
    // The next key can be of another account.
    navigate(listRoute());
  };
  return (
    <header class="bar">
      <div class="bar-inner">
        <a class="brand" href="#/transactions" onClick={followLink}>
          {texts.$transactions}
        </a>
        {user && <User user={user} />}
        {user && <Find />}
        <nav class="bar-links" aria-label={texts.$service}>
          {user?.scopes.includes('webhooks') && (
            <a
              href="#/webhooks"
              onClick={followLink}
              {...(view === 'webhooks' && { 'aria-current': 'page' as const })}
            >
              {texts.$webhooks}
              <FailingMark apiKey={user.key} />
            </a>
          )}
          <a href="/guides">{texts.$help}</a>
          {user && (
            <Button class="link" onClick={leave}>
              {texts.$signOut}
            </Button>
          )}
        </nav>
      </div>
    </header>
  );
}

/** Whose transactions are shown and, in a session, to whom and until when. */
function User({ user: { account, person, expiresAt } }: { user: Session }) {
  const { zone } = useRoute();
  return (
    <div class="bar-user">
      <p class="bar-account" title={texts.$accountOf(account)}>
        <span class="bar-account-label">{texts.$account} </span>
        {account}
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
