import type { Failure } from './failure.ts';
import { removeSession, type Session, storedSession, storeSession } from './session.ts';
import { Signal } from './signal.ts';
import { Tabs } from './tabs.ts';

/** The session of this tab, or of another tab of the browser. Null while nobody is signed in. */
export const session = new Signal(storedSession());

/** Why the session has ended, unless the user ended it in this tab. */
export const endedBy = new Signal<Failure | undefined>(undefined);

const tabs = new Tabs({
  onSession: (shared) => {
    if (session.value === null) start(shared);
  },
  onSignedOut: (key) => {
    if (session.value?.key === key) stop(SIGNED_OUT_ELSEWHERE);
  },
});
tabs.session = session.value;

function start(started: Session): void {
  storeSession(started);
  endedBy.value = undefined;
  tabs.session = started;
  session.value = started;
}

function stop(cause: Failure | undefined): void {
  removeSession();
  endedBy.value = cause;
  tabs.session = null;
  session.value = null;
}

export function signIn(started: Session): void {
  start(started);
  tabs.share(started);
}

/** The user signs out, in all tabs. */
export function signOut(): void {
  if (session.value !== null) tabs.signOut(session.value.key);
  stop(undefined);
}

/** Ends the session if the service refuses its key. Several requests can be refused: the first one knows of the session. */
export function endIfRefused(failure: Failure): void {
  if (failure.kind === 'signed-out' && session.value !== null) stop(causeOfEnd(failure, session.value));
}

const SIGNED_OUT_ELSEWHERE: Failure = {
  kind: 'signed-out',
  title: 'Signed out in another tab',
  detail: 'Signing out ends the session in all tabs. Sign in again to continue here.',
};

/** A key that was accepted before is not misspelt: it has ended. */
function causeOfEnd(cause: Failure, { account, expiresAt }: Session): Failure {
  if (cause.code !== 'invalid_api_key') return cause;
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return {
    ...cause,
    title: hasExpired ? 'The API key has expired' : 'The API key was revoked or replaced',
    detail: hasExpired
      ? `The key of the account ${account} ended at ${expiresAt.slice(0, 19).replace('T', ' ')} UTC. Ask the operator of the service for a new one.`
      : `The service accepted this key of the account ${account} before. Ask the operator of the service for a new one.`,
  };
}
