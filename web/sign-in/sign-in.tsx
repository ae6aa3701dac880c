import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { FailurePanel, FailureText } from '../parts/failure-panel.tsx';
import { Panel } from '../parts/panel.tsx';
import { ReturnLink } from '../parts/return-link.tsx';
import { announce } from '../state/announce.ts';
import { failureOf, openKey } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { platform, returnUrl } from '../state/return-link.ts';
import { describeFilter, isFiltered } from '../state/route.ts';
import { pasted } from '../state/search-text.ts';
import { type End, endedBy, opening, signIn } from '../state/signed-in.ts';
import { setTitle } from '../state/title.ts';
import { type Location, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { IDLE_HOURS } from '../text/session-text.ts';

const HEADER_TEXT = /^[\x21-\x7e]+$/;

const NO_KEY: Failure = { kind: 'signed-out', ...texts.$notKey };

export function SignIn() {
  useEffect(() => setTitle(texts.$signIn), []);
  const isWaiting = opening.use() !== null;
  const end = endedBy.use();
  const linked = describeLink(useRoute());
  if (isWaiting)
    return (
      <main class="sign-in" id="main" aria-busy="true">
        <h1>{texts.$signingIn}</h1>
      </main>
    );
  return (
    <main class="sign-in" id="main">
      <h1>{texts.$signIn}</h1>
      {end && <EndNote end={end} />}
      {/* After a session, this text could tell the next person what the previous user looked at. */}
      {!end && <p class="lead">{linked ?? texts.$lead}</p>}
      <ReturnLink class="button button-primary">{texts.$signInAt(platform)}</ReturnLink>
      <KeyForm isOnlyWay={returnUrl === null} />
    </main>
  );
}

function EndNote({ end }: { end: End }) {
  useEffect(() => {
    if (end.isExpected) announce(end.title);
  }, [end]);
  return end.isExpected ? (
    <Panel icon="key" title={end.title}>
      <FailureText failure={end} />
    </Panel>
  ) : (
    <FailurePanel failure={end} onRetry={end.onRetry} />
  );
}

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
      {failure && <FailurePanel id="sign-in-failure" failure={failure} />}
      <form onSubmit={trySignIn} class="sign-in-form" novalidate>
        <label for="api-key">{texts.$apiKey}</label>
        <KeyField field={field} failure={failure} />
        <p class="help" id="key-help">
          {texts.$keyHelp(IDLE_HOURS)}
        </p>
        <button type="submit" class={isOnlyWay ? 'button button-primary' : 'button'} aria-disabled={isTrying}>
          {isTrying ? texts.$signingIn : texts.$signIn}
        </button>
      </form>
    </>
  );
}

function describeLink({ route, linkedAccount, zone }: Location): ComponentChildren {
  const what =
    route.view === 'transaction'
      ? texts.$linkTransaction(<b>{route.reference}</b>)
      : route.view === 'search'
        ? texts.$linkSearch(<b>{route.text}</b>)
        : route.view === 'list' && isFiltered(route.filter)
          ? texts.$linkFiltered(<b>{describeFilter(route.filter, zone)}</b>)
          : route.view === 'webhooks' && texts.$linkWebhooks;
  if (!what && linkedAccount === undefined) return undefined;
  return [
    texts.$linkShows(what || texts.$linkList),
    linkedAccount !== undefined && texts.$linkAccount(<b>{linkedAccount}</b>),
  ];
}

interface KeyFieldProps {
  field: RefObject<HTMLInputElement | null>;
  failure: Failure | undefined;
}

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
        aria-describedby={failure ? 'sign-in-failure' : 'key-help'}
        aria-invalid={failure?.kind === 'signed-out' ? 'true' : undefined}
      />
      <Button
        class="link"
        onClick={() => setIsShown(!isShown)}
        aria-label={isShown ? texts.$hideKey : texts.$showKey}
      >
        {isShown ? texts.$hide : texts.$show}
      </Button>
    </div>
  );
}
