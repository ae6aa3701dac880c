import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { failureOf, openKey } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { platform, returnUrl } from '../state/return-link.ts';
import { describeFilter, isFiltered } from '../state/route.ts';
import { pasted } from '../state/search-text.ts';
import { type End, endedBy, isOpening, signIn } from '../state/signed-in.ts';
import { setTitle } from '../state/title.ts';
import { type Location, useRoute } from '../state/use-route.ts';
import { IDLE_HOURS } from '../text/session-text.ts';
import { Button } from './button.tsx';
import { FailureText } from './failure-panel.tsx';
import { ReturnLink } from './return-link.tsx';

/** The characters that a header can contain. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

const NO_KEY: Failure = {
  kind: 'signed-out',
  title: 'This is not an API key',
  detail:
    'An API key has 44 characters, no spaces, and begins with tk_live_. Copy the whole key and try again.',
};

/** While the code of a link is exchanged, and the ways in. */
export function SignIn() {
  useEffect(() => setTitle('Sign in'), []);
  const isWaiting = isOpening.use();
  const end = endedBy.use();
  const linked = describeLink(useRoute());
  if (isWaiting)
    return (
      <main class="sign-in" id="main" aria-busy="true">
        <h1>Signing in{'\u2026'}</h1>
      </main>
    );
  return (
    <main class="sign-in" id="main">
      <h1>Sign in</h1>
      {end && <EndNote end={end} />}
      {/* What an ended session looked at is nobody else's business. */}
      {!end && (
        <p class="lead">
          {linked ??
            'See the transactions of your account. You can filter them, find one by its reference, and save them as a CSV or Excel file.'}
        </p>
      )}
      <ReturnLink class="button button-primary">Sign in at {platform}</ReturnLink>
      <KeyForm isOnlyWay={returnUrl === null} />
    </main>
  );
}

/** Why nobody is signed in. */
const EndNote = ({ end }: { end: End }) => (
  <div class={end.isExpected ? 'sign-in-note' : 'sign-in-failure'} role={end.isExpected ? 'status' : 'alert'}>
    <h2>{end.title}</h2>
    <FailureText failure={end} />
    {end.onRetry && <Button onClick={end.onRetry}>Try again</Button>}
  </div>
);

/** The form for a key. The key is tried before it is stored. */
function KeyForm({ isOnlyWay }: { isOnlyWay: boolean }) {
  const [isTrying, setIsTrying] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOnlyWay) field.current?.focus();
    else document.querySelector<HTMLElement>('.sign-in > .button')?.focus();
  }, []);

  const refuse = (cause: Failure) => {
    setFailure(cause);
    endedBy.value = undefined;
    field.current?.focus();
  };
  const trySignIn = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isTrying) return;
    const key = pasted(field.current?.value ?? '');
    if (!HEADER_TEXT.test(key)) return refuse(NO_KEY);
    setIsTrying(true);
    try {
      signIn(await openKey(key));
    } catch (error) {
      setIsTrying(false);
      refuse(failureOf(error));
    }
  };

  return (
    <>
      {failure && (
        <div class="sign-in-failure" role="alert" id="sign-in-failure">
          <h2>{failure.title}</h2>
          <FailureText failure={failure} />
        </div>
      )}
      <form onSubmit={trySignIn} class="sign-in-form" novalidate>
        <label for="api-key">API key</label>
        <KeyField field={field} failure={failure} />
        <p class="help" id="key-help">
          Signing in serves all tabs of this browser, also those that it opens again, until you sign out,
          close them, or use none of them for {IDLE_HOURS} hours. The key is sent only to this service. If you
          have no key, ask its operator for one that can only look.
        </p>
        <button type="submit" class={isOnlyWay ? 'button button-primary' : 'button'} aria-disabled={isTrying}>
          {isTrying ? 'Signing in\u2026' : 'Sign in'}
        </button>
      </form>
    </>
  );
}

/** What the address is of, unless it is the list of any account. */
function describeLink({ route, linkedAccount, zone }: Location): ComponentChildren {
  const what =
    route.view === 'transaction' ? (
      <>
        the transaction <b>{route.reference}</b>
      </>
    ) : route.view === 'search' ? (
      <>
        a search for <b>{route.text}</b>
      </>
    ) : route.view === 'list' && isFiltered(route.filter) ? (
      <>
        transactions: <b>{describeFilter(route.filter, zone)}</b>
      </>
    ) : (
      route.view === 'webhooks' && 'webhooks'
    );
  if (!what && linkedAccount === undefined) return undefined;
  const whose = linkedAccount !== undefined && (
    <>
      {' '}
      It is of the account <b>{linkedAccount}</b>: sign in to that account.
    </>
  );
  return (
    <>
      This link shows {what || 'transactions'}.{whose}
    </>
  );
}

interface KeyFieldProps {
  field: RefObject<HTMLInputElement | null>;
  /** The failure of the last attempt, if any. */
  failure: Failure | undefined;
}

/** The input for the key, with a button that shows it. */
function KeyField({ field, failure }: KeyFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div class="key-field">
      <input
        ref={field}
        id="api-key"
        {...(isShown ? { type: 'text' } : { type: 'password' })}
        autocomplete="current-password"
        autocapitalize="off"
        spellcheck={false}
        placeholder={'tk_live_\u2026'}
        aria-describedby={failure ? 'sign-in-failure key-help' : 'key-help'}
        aria-invalid={failure?.kind === 'signed-out' ? 'true' : undefined}
      />
      <Button
        class="link"
        onClick={() => setIsShown(!isShown)}
        aria-label={isShown ? 'Hide the key' : 'Show the key'}
      >
        {isShown ? 'Hide' : 'Show'}
      </Button>
    </div>
  );
}
