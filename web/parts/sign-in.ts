import { h, type RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { connect, failureOf } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { FailureText } from './failure-panel.ts';

interface SignInProps {
  /** Why a session ended, where one did. */
  ended: Failure | undefined;
  onSignIn(key: string): void;
}

/** What a header can carry: anything else is no key. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

const NO_KEY: Failure = {
  kind: 'signed-out',
  title: 'This is not an API key',
  detail: 'An API key is 44 characters without spaces and begins with tk_live_. Copy the whole of it.',
};

/** Asks for a key, and tries it before it is kept. */
export function SignIn({ ended, onSignIn }: SignInProps) {
  const [isTrying, setIsTrying] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in - Transactions';
    field.current?.focus();
  }, []);

  const refuse = (why: Failure) => {
    setFailure(why);
    field.current?.focus();
  };
  const signIn = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isTrying) return;
    const key = field.current?.value.trim() ?? '';
    if (!HEADER_TEXT.test(key)) return refuse(NO_KEY);
    setIsTrying(true);
    try {
      await connect(key).transactions.page();
      onSignIn(key);
    } catch (error) {
      setIsTrying(false);
      refuse(failureOf(error));
    }
  };

  const told = failure ?? ended;
  return h(
    'main',
    { class: 'sign-in', id: 'main' },
    h('h1', null, 'Sign in'),
    h(
      'p',
      { class: 'lead' },
      'See the transactions of your account: look one up, filter them, or take a file away.',
    ),
    told &&
      h(
        'div',
        { class: 'sign-in-failure', role: 'alert', id: 'sign-in-failure' },
        h('h2', null, failure === undefined ? `You were signed out: ${told.title}` : told.title),
        h(FailureText, { failure: told }),
      ),
    h(
      'form',
      { onSubmit: signIn, class: 'sign-in-form', novalidate: true },
      h('label', { for: 'api-key' }, 'API key'),
      h(KeyField, { field, failure }),
      h(
        'p',
        { class: 'help', id: 'key-help' },
        'It stays in this tab until you sign out or close it, and is sent to this service alone. The operator of the service gives keys.',
      ),
      h(
        'button',
        { type: 'submit', class: 'button button-primary', 'aria-disabled': isTrying },
        isTrying ? 'Signing in\u2026' : 'Sign in',
      ),
    ),
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
  return h(
    'div',
    { class: 'key-field' },
    h('input', {
      ref: field,
      id: 'api-key',
      type: isShown ? 'text' : 'password',
      autocomplete: 'current-password',
      autocapitalize: 'off',
      spellcheck: false,
      placeholder: 'tk_live_\u2026',
      'aria-describedby': failure ? 'sign-in-failure key-help' : 'key-help',
      'aria-invalid': failure?.kind === 'signed-out' ? 'true' : undefined,
    }),
    h(
      'button',
      {
        type: 'button',
        class: 'link',
        'aria-pressed': isShown,
        onClick: () => setIsShown(!isShown),
        'aria-label': 'Show the key',
      },
      isShown ? 'Hide' : 'Show',
    ),
  );
}
